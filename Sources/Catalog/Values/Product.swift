import JSON

/// Something to eat that the shop sells.
///
/// What equals a default *is* the default: an `alt` equal to the title, a gallery of the list's picture alone, and, in a whole
/// catalog, the shop's own delivery. So there is one form of each product, and an export of it is always the same bytes.
public struct Product: Hashable, Sendable {
  /// What it is called in addresses.
  public let id: ProductID
  /// Where it stands.
  public let section: SectionID
  /// Its name, 1 to 100 characters.
  public let title: String
  /// What there is to say about it, at most 500 characters.
  public let description: String
  /// Its picture in words, 1 to 200 characters, when that is not the title.
  public let alt: String?
  /// What is paid.
  public let price: Won
  /// What was paid before, above `price`.
  public let listPrice: Won?
  /// In the shop's order, none twice.
  public let badges: [Badge]
  /// How it is sent, when that is not the shop's way: never empty, none twice, in the order of `DeliveryType`.
  public internal(set) var deliveryTypes: [DeliveryType]?
  /// Whether it can be bought.
  public internal(set) var status: ProductStatus
  /// How many there are, from 0 to a milliard, when they are counted.
  public let stock: Int64?
  /// The list's picture.
  public let image: PictureReference
  /// The gallery, 1 to 5 pictures.
  public let images: [PictureReference]
  /// Long pictures below the gallery, at most 50.
  public let details: [PictureReference]
  /// What the law wants said, at most 50.
  public let notices: NoticeList
  /// What is said about delivery, when that is not what the shop says.
  public internal(set) var delivery: DeliveryTerms?

  /// A product from its parts.
  ///
  /// - Throws: the first rule that is broken. The seed file's reader checks each part by itself, to tell all of them.
  public init(
    id: ProductID, section: SectionID, title: String, description: String, alt: String? = nil, price: Won,
    listPrice: Won? = nil, badges: [Badge] = [], deliveryTypes: [DeliveryType]? = nil,
    status: ProductStatus = .onSale, stock: Int64? = nil, image: PictureReference, images: [PictureReference]? = nil,
    details: [PictureReference] = [], notices: [Notice] = [], delivery: DeliveryTerms? = nil
  ) throws(JSONRule) {
    let images = images ?? [image]
    self.id = id
    self.section = section
    self.title = try ShopText.checked(title, length: Self.titleLength)
    self.description = try ShopText.checked(description, length: Self.descriptionLength)
    let alt = try Self.checkedAlt(alt)
    self.alt = alt == self.title ? nil : alt
    self.price = price
    if let listPrice, listPrice <= price { throw .listPrice(price) }
    self.listPrice = listPrice
    guard Set(badges).count == badges.count else { throw .repeated }
    self.badges = badges
    self.deliveryTypes = try Self.checkedTypes(deliveryTypes)
    self.status = status
    if let stock, !Self.stockRange.contains(stock) { throw .outOfRange(Self.stockRange) }
    self.stock = stock
    self.image = image
    guard Self.galleryCount.contains(images.count) else { throw .count(Self.galleryCount) }
    self.images = images
    guard Self.detailCount.contains(details.count) else { throw .count(Self.detailCount) }
    self.details = details
    guard Self.noticeCount.contains(notices.count) else { throw .count(Self.noticeCount) }
    self.notices = NoticeList(notices)
    self.delivery = delivery
  }

  static let titleLength = 1...100
  static let descriptionLength = 0...500
  static let altLength = 1...200
  static let stockRange: ClosedRange<Int64> = 0...1_000_000_000
  static let galleryCount = 1...5
  static let detailCount = 0...50
  static let noticeCount = 0...50

  private static func checkedAlt(_ alt: String?) throws(JSONRule) -> String? {
    guard let alt else { return nil }
    return try ShopText.checked(alt, length: altLength)
  }

  private static func checkedTypes(_ types: [DeliveryType]?) throws(JSONRule) -> [DeliveryType]? {
    guard let types else { return nil }
    return try DeliveryType.checked(types)
  }
}
