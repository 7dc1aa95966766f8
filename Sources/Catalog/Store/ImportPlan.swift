/// What it takes to make the shop look like an imported catalog. Making a plan changes nothing.
struct ImportPlan {
  /// A product as it will stand in the shop.
  struct Row {
    let product: Product
    let old: ProductEntry?
    let oldPosition: Int?
    /// Whether its own time of change moves.
    let isTouched: Bool
  }

  let catalog: SeedCatalog
  let base: CatalogSnapshot
  /// All products in their new order: the file's, then those that it lacks and that stay.
  let rows: [Row]
  let sections: [CatalogLayout.SectionPlace]
  let deletedProducts: [ProductID]
  let deletedSections: [SectionID]
  let summary: ImportSummary

  init(_ catalog: SeedCatalog, over base: CatalogSnapshot, missing: MissingProducts) {
    var counts = Counts()
    var rows = catalog.products.map { product -> Row in
      let place = base.layout.places[product.id]
      let old = place.map { base.entries[$0] }
      let isTouched = old?.product != product
      counts.note(isNew: old == nil, isTouched: isTouched)
      return Row(product: product, old: old, oldPosition: place, isTouched: isTouched)
    }
    let kept = Set(catalog.products.map(\.id))
    let lacking = base.entries.enumerated().filter { !kept.contains($1.product.id) }
    var deleted: [ProductID] = []
    for (position, old) in lacking {
      switch missing {
      case .delete:
        deleted.append(old.product.id)
      case .hide:
        if old.isVisible { counts.hidden += 1 }
        let product = old.product.hidden().leavingOutDefaults(of: catalog.shop)
        rows.append(Row(product: product, old: old, oldPosition: position, isTouched: old.isVisible))
      }
    }
    let sections = Self.sections(of: catalog, over: base, rows: rows)
    let keptSections = Set(sections.map(\.section.id))
    self.catalog = catalog
    self.base = base
    self.rows = rows
    self.sections = sections
    deletedProducts = deleted
    deletedSections = base.layout.sections.map(\.section.id).filter { !keptSections.contains($0) }
    let rowsChange = rows.enumerated().contains { $1.old?.product != $1.product || $1.oldPosition != $0 }
    let othersChange =
      base.version == 0 || base.shop.profile != catalog.shop || base.layout.sections != sections
      || base.layout.collections != catalog.collections
    summary = ImportSummary(
      created: counts.created, changed: counts.changed, unchanged: counts.unchanged, hidden: counts.hidden,
      deleted: deleted.count, hasChanges: rowsChange || othersChange || !deleted.isEmpty)
  }

  /// The file's sections, then those that it lacks and that a product which stays still stands in.
  private static func sections(
    of catalog: SeedCatalog, over base: CatalogSnapshot, rows: [Row]
  ) -> [CatalogLayout.SectionPlace] {
    let inFile = Set(catalog.sections.map(\.id))
    let needed = Set(rows.map(\.product.section)).subtracting(inFile)
    let lacking = base.layout.sections.map(\.section).filter { needed.contains($0.id) }
    return catalog.sections.map { CatalogLayout.SectionPlace(section: $0, isHidden: false) }
      + lacking.map { CatalogLayout.SectionPlace(section: $0, isHidden: true) }
  }

  private struct Counts {
    var created = 0
    var changed = 0
    var unchanged = 0
    var hidden = 0

    mutating func note(isNew: Bool, isTouched: Bool) {
      if isNew { created += 1 } else if isTouched { changed += 1 } else { unchanged += 1 }
    }
  }
}

extension ImportPlan {
  /// The rows that are written whole, and those that only move.
  func writes(at now: Int64) -> (records: [CatalogRows.ProductRecord], moves: [(id: ProductID, position: Int)]) {
    var records: [CatalogRows.ProductRecord] = []
    var moves: [(id: ProductID, position: Int)] = []
    for (position, row) in rows.enumerated() {
      if row.old?.product != row.product {
        records.append(
          CatalogRows.ProductRecord(
            product: row.product, position: position, createdAt: row.old?.createdAt ?? now,
            updatedAt: row.updatedAt(now: now)))
      } else if row.oldPosition != position {
        moves.append((row.product.id, position))
      }
    }
    return (records, moves)
  }

  /// The snapshot after the plan was carried out, which shares every entry that stays as it was.
  ///
  /// - Parameter known: what the database knows of pictures that the catalog did not refer to until now.
  func snapshot(version: Int64, publishedAt: Int64, now: Int64, known: [Picture]) -> CatalogSnapshot {
    var book = PictureBook(known: base.pictures)
    for picture in known { book.add(picture) }
    let keepsShop = base.version > 0 && base.shop.profile == catalog.shop
    let shop = keepsShop ? base.shop : ShopEntry(catalog.shop, placeholder: book.picture(catalog.shop.placeholder))
    book.keep(shop)
    let sectionOfID = Dictionary(sections.map { ($0.section.id, $0.section) }, uniquingKeysWith: { first, _ in first })
    let entries = rows.compactMap { row -> ProductEntry? in
      // Every row's section is in the plan.
      guard let section = sectionOfID[row.product.section] else { return nil }
      if let old = row.old, old.product == row.product, old.section == section, old.shop === shop {
        book.keep(old)
        return old
      }
      return ProductEntry(
        row.product, section: section, shop: shop, createdAt: row.old?.createdAt ?? now,
        updatedAt: row.updatedAt(now: now), pictures: &book)
    }
    return CatalogSnapshot(
      version: version, publishedAt: publishedAt, shop: shop, pictures: book.used,
      entries: entries,
      layout: CatalogLayout(sections: sections, collections: catalog.collections, entries: entries))
  }
}

extension ImportPlan {
  /// The references that no product of the base has.
  var newReferences: Set<PictureReference> {
    var references: Set<PictureReference> = []
    for row in rows where row.old?.product != row.product {
      for reference in row.product.references where base.pictures[reference] == nil { references.insert(reference) }
    }
    if base.pictures[catalog.shop.placeholder] == nil { references.insert(catalog.shop.placeholder) }
    return references
  }
}

extension ImportPlan.Row {
  func updatedAt(now: Int64) -> Int64 {
    guard let old else { return now }
    return isTouched ? max(now, old.updatedAt) : old.updatedAt
  }
}
