/// The shop's profile with its placeholder's state. The same object as long as neither changes.
public final class ShopEntry: Sendable {
  /// What is true of the whole shop.
  public let profile: ShopProfile
  /// The picture that stands where another failed for good.
  public let placeholder: Picture

  init(_ profile: ShopProfile, placeholder: Picture) {
    self.profile = profile
    self.placeholder = placeholder
  }
}

/// A product with everything that an answer about it needs.
///
/// The same object (`===`) in two snapshots means that nothing about it has changed, its pictures' state, its section and the
/// shop's own delivery included: what was rendered from it once is still right.
public final class ProductEntry: Sendable {
  /// The product.
  public let product: Product
  /// The section it stands in.
  public let section: Section
  /// The shop, for what the product leaves to it.
  public let shop: ShopEntry
  /// When it came into the shop, in seconds since 1970, UTC.
  public let createdAt: Int64
  /// When it itself changed last, in seconds since 1970, UTC. News of its pictures do not count.
  public let updatedAt: Int64
  /// The list's picture.
  public let image: Picture
  /// The gallery, 1 to 5.
  public let images: [Picture]
  /// The long pictures below.
  public let details: [Picture]
  /// What views made of it.
  public let memo = EntryMemo()

  init(
    _ product: Product, section: Section, shop: ShopEntry, createdAt: Int64, updatedAt: Int64,
    pictures: inout PictureBook
  ) {
    self.product = product
    self.section = section
    self.shop = shop
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    image = pictures.picture(product.image)
    images = product.images.map { pictures.picture($0) }
    details = product.details.map { pictures.picture($0) }
  }

  /// An entry that shows some pictures in a new state, and is otherwise as before.
  init(_ entry: ProductEntry, shop: ShopEntry, replacing changed: [PictureReference: Picture]) {
    product = entry.product
    section = entry.section
    self.shop = shop
    createdAt = entry.createdAt
    updatedAt = entry.updatedAt
    image = changed[entry.image.reference] ?? entry.image
    images = entry.images.map { changed[$0.reference] ?? $0 }
    details = entry.details.map { changed[$0.reference] ?? $0 }
  }

  /// How it is sent.
  public var deliveryTypes: [DeliveryType] { product.deliveryTypes ?? shop.profile.deliveryTypes }

  /// What is said about its delivery.
  public var delivery: DeliveryTerms { product.delivery ?? shop.profile.delivery }

  /// Its picture in words.
  public var alt: String { product.alt ?? product.title }

  /// Whether an answer may show it.
  public var isVisible: Bool { product.status != .hidden }

  /// The picture that an answer shows for one of the product's own: the placeholder when it failed for good.
  public func shown(_ picture: Picture) -> Picture {
    picture.state.failedForGood ? shop.placeholder : picture
  }
}
