import JSON

/// Reads one product of a seed file, every part for itself.
struct ProductReader {
  /// The keys in canonical order.
  static let keys = [
    "id", "section", "title", "description", "alt", "price", "listPrice", "badges", "deliveryTypes", "status", "stock",
    "image", "images", "details", "notices", "delivery",
  ]

  let field: JSONField
  let object: ObjectReader

  /// The product, or nil when a part could not be read.
  func read(id: ProductID?, section: SectionID?) -> Product? {
    let title = object.required("title")?.text(Product.titleLength)
    let description = object.required("description")?.text(Product.descriptionLength)
    let alt = object.optional("alt")?.text(Product.altLength)
    let price = object.required("price")?.won()
    let listPrice = readListPrice(price: price)
    let badges = object.optional("badges")?.words(Badge.self, count: 0...Badge.allCases.count)
    let deliveryTypes = object.optional("deliveryTypes")?.deliveryTypes()
    let status = object.optional("status")?.word(ProductStatus.self)
    let stock = object.nullable("stock")?.integer(in: Product.stockRange)
    let image = object.required("image")?.reference()
    let images = object.optional("images")?.references(count: Product.galleryCount)
    let details = object.optional("details")?.references(count: Product.detailCount)
    let notices = readNotices()
    let delivery = readDelivery()
    guard let id, let section, let title, let description, let price, let image else { return nil }
    // A part that is there and could not be read has been reported, and the file is refused whatever stands in its place.
    return field.checked { () throws(JSONRule) in
      try Product(
        id: id, section: section, title: title, description: description, alt: alt, price: price, listPrice: listPrice,
        badges: badges ?? [], deliveryTypes: deliveryTypes, status: status ?? .onSale, stock: stock, image: image,
        images: images, details: details ?? [], notices: notices, delivery: delivery)
    }
  }

  private func readListPrice(price: Won?) -> Won? {
    guard let field = object.nullable("listPrice"), let listPrice = field.won() else { return nil }
    if let price, listPrice <= price {
      field.report(.listPrice(price))
      return nil
    }
    return listPrice
  }

  private func readNotices() -> [Notice] {
    let fields = object.optional("notices")?.elements(count: Product.noticeCount) ?? []
    let notices = fields.compactMap { field -> Notice? in
      guard let object = field.object(keys: ["label", "value"]) else { return nil }
      let label = object.required("label")?.text(Notice.labelLength)
      let value = object.required("value")?.text(Notice.valueLength)
      guard let label, let value else { return nil }
      return field.checked { () throws(JSONRule) in try Notice(label: label, value: value) }
    }
    return Array(notices.prefix(Product.noticeCount.upperBound))
  }

  private func readDelivery() -> DeliveryTerms? {
    guard let field = object.nullable("delivery"), let terms = field.object(keys: ["info", "fee"]) else { return nil }
    let info = terms.required("info")?.text(DeliveryTerms.length)
    let fee = terms.required("fee")?.text(DeliveryTerms.length)
    guard let info, let fee else { return nil }
    return field.checked { () throws(JSONRule) in try DeliveryTerms(info: info, fee: fee) }
  }
}
