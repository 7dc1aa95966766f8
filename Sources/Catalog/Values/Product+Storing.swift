extension Product {
  /// A product whose parts were checked before they were stored.
  init(
    storedID id: ProductID, section: SectionID, title: String, description: String, alt: String?, price: Won,
    listPrice: Won?, badges: [Badge], deliveryTypes: [DeliveryType]?, status: ProductStatus, stock: Int64?,
    image: PictureReference, images: [PictureReference], details: [PictureReference], notices: NoticeList,
    delivery: DeliveryTerms?
  ) {
    self.id = id
    self.section = section
    self.title = title
    self.description = description
    self.alt = alt
    self.price = price
    self.listPrice = listPrice
    self.badges = badges
    self.deliveryTypes = deliveryTypes
    self.status = status
    self.stock = stock
    self.image = image
    self.images = images
    self.details = details
    self.notices = notices
    self.delivery = delivery
  }

  /// The same product, saying nothing about delivery that the shop says anyway.
  func leavingOutDefaults(of shop: ShopProfile) -> Product {
    var product = self
    if deliveryTypes == shop.deliveryTypes { product.deliveryTypes = nil }
    if delivery == shop.delivery { product.delivery = nil }
    return product
  }

  /// The same product, in no answer.
  func hidden() -> Product {
    var product = self
    product.status = .hidden
    return product
  }

  /// Every picture it refers to, some perhaps more than once.
  var references: [PictureReference] { [image] + images + details }
}
