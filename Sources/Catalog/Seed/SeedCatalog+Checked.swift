import JSON

extension SeedCatalog {
  /// A whole catalog from parts that came from elsewhere than a seed file, held to a seed file's rules between them: no id
  /// twice, and every section and product that is named is there.
  ///
  /// - Throws: the first rule that is broken.
  public static func checked(
    shop: ShopProfile, sections: [Section], products: [Product], collections: [ProductCollection]
  ) throws(JSONRule) -> SeedCatalog {
    let sectionIDs = try unique(sections.map(\.id))
    let productIDs = try unique(products.map(\.id))
    _ = try unique(collections.map(\.id))
    guard products.allSatisfy({ sectionIDs.contains($0.section) }) else { throw .unknownSection }
    guard collections.allSatisfy({ $0.products.allSatisfy(productIDs.contains) }) else { throw .unknownProduct }
    return SeedCatalog(shop: shop, sections: sections, products: products, collections: collections)
  }

  private static func unique<ID: Hashable & CustomStringConvertible>(_ ids: [ID]) throws(JSONRule) -> Set<ID> {
    var seen: Set<ID> = []
    for id in ids where !seen.insert(id).inserted { throw .duplicateID(first: id.description) }
    return seen
  }
}
