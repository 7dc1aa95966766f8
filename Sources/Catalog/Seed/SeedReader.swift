import JSON

/// One walk through a seed file.
///
/// Each part is read as far as it goes; what cannot be read is nil, and its fault is in the walk's list. Ids are noted as soon
/// as they are read, so that a product with a wrong price is not also an unknown one.
struct SeedReader {
  private var sectionIDs = IDRegister<SectionID>()
  private var productIDs = IDRegister<ProductID>()
  private var collectionIDs = IDRegister<CollectionID>()

  mutating func read(_ document: JSONField) -> SeedCatalog? {
    guard let top = document.object(keys: ["shop", "sections", "products", "collections"]) else { return nil }
    let shop = top.required("shop").flatMap(readShop)
    let sections = top.required("sections")?.elements(count: 0...1_000)?.compactMap { readSection($0) }
    let areSectionsKnown = sections != nil
    let products = top.required("products")?.elements(count: 0...100_000)?.compactMap {
      readProduct($0, checkSection: areSectionsKnown)
    }
    let areProductsKnown = products != nil
    let collections = top.required("collections")?.elements(count: 0...1_000)?.compactMap {
      readCollection($0, checkProducts: areProductsKnown)
    }
    guard let shop, let sections, let products, let collections else { return nil }
    return SeedCatalog(shop: shop, sections: sections, products: products, collections: collections)
  }

  private func readShop(_ field: JSONField) -> ShopProfile? {
    guard let object = field.object(keys: ["name", "placeholder", "delivery"]) else { return nil }
    let name = object.required("name")?.text(ShopProfile.nameLength)
    let placeholder = object.required("placeholder")?.reference()
    let delivery = object.required("delivery")?.object(keys: ["types", "info", "fee", "freeFrom"])
    let types = delivery?.required("types")?.deliveryTypes()
    let info = delivery?.required("info")?.text(DeliveryTerms.length)
    let fee = delivery?.required("fee")?.text(DeliveryTerms.length)
    let freeFrom = delivery?.required("freeFrom").flatMap { $0.value == .null ? nil : $0.won() }
    guard let name, let placeholder, let types, let info, let fee else { return nil }
    return field.checked { () throws(JSONRule) in
      try ShopProfile(
        name: name, placeholder: placeholder, deliveryTypes: types, delivery: DeliveryTerms(info: info, fee: fee),
        freeFrom: freeFrom)
    }
  }

  private mutating func readSection(_ field: JSONField) -> Section? {
    guard let object = field.object(keys: ["id", "name", "title"]) else { return nil }
    let id = object.required("id")?.identifier { text throws(JSONRule) in try SectionID(text) }
    if let id { sectionIDs.note(id, object) }
    let name = object.required("name")?.text(Section.nameLength)
    let title = object.required("title")?.text(Section.titleLength)
    guard let id, let name, let title else { return nil }
    return field.checked { () throws(JSONRule) in try Section(id: id, name: name, title: title) }
  }

  private mutating func readProduct(_ field: JSONField, checkSection: Bool) -> Product? {
    guard let object = field.object(keys: ProductReader.keys) else { return nil }
    let id = object.required("id")?.identifier { text throws(JSONRule) in try ProductID(text) }
    if let id { productIDs.note(id, object) }
    let sectionField = object.required("section")
    let section = sectionField?.identifier { text throws(JSONRule) in try SectionID(text) }
    if checkSection, let section, !sectionIDs.contains(section) { sectionField?.report(.unknownSection) }
    return ProductReader(field: field, object: object).read(id: id, section: section)
  }

  private mutating func readCollection(_ field: JSONField, checkProducts: Bool) -> ProductCollection? {
    guard let object = field.object(keys: ["id", "name", "products"]) else { return nil }
    let id = object.required("id")?.identifier { text throws(JSONRule) in try CollectionID(text) }
    if let id { collectionIDs.note(id, object) }
    let name = object.required("name")?.text(ProductCollection.nameLength)
    var seen: Set<ProductID> = []
    let products = object.required("products")?.elements(count: 0...100_000)?.compactMap { field -> ProductID? in
      guard let id = field.identifier({ text throws(JSONRule) in try ProductID(text) }) else { return nil }
      if checkProducts, !productIDs.contains(id) { field.report(.unknownProduct) }
      if !seen.insert(id).inserted { field.report(.repeated) }
      return id
    }
    guard let id, let name, let products, products.count == seen.count else { return nil }
    return field.checked { () throws(JSONRule) in try ProductCollection(id: id, name: name, products: products) }
  }
}

/// The ids that were read, and where each stood first.
private struct IDRegister<ID: Hashable> {
  private var places: [ID: JSONPointer] = [:]

  func contains(_ id: ID) -> Bool { places[id] != nil }

  /// Notes an object's id; a second object with it is a fault.
  mutating func note(_ id: ID, _ object: ObjectReader) {
    if let first = places[id] {
      object.optional("id")?.report(.duplicateID(first: first.description))
    } else {
      places[id] = object.pointer
    }
  }
}
