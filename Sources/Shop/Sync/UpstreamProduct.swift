import Catalog

/// What an upstream's list says about a product, in the shop's own values.
struct UpstreamItem: Equatable, Sendable {
  let id: ProductID
  let title: String
  /// Nil when the list has none.
  let description: String?
  let alt: String?
  let price: Won
  let listPrice: Won?
  /// List price and price as the list has them, also where the shop does not take the first.
  let listedPrices: [Won]
  let badges: [Badge]
  let isSoldOut: Bool
  /// Nil when the shop's are taken.
  let deliveryTypes: [DeliveryType]?
  /// Nil when the list has none that can be used.
  let image: PictureReference?
}

/// What an upstream's detail says about a product beyond its list. What it does not say, or not readably, is nil.
struct UpstreamDetail: Equatable, Sendable {
  let topPicture: PictureReference?
  /// Never empty.
  let gallery: [PictureReference]?
  let details: [PictureReference]?
  let description: String?
  let deliveryInfo: String?
  let deliveryFee: String?
  /// List price and price, or the price alone; what is no price is left out.
  let prices: [Won]?

  /// Whether it says nothing at all.
  var isEmpty: Bool {
    topPicture == nil && gallery == nil && details == nil && description == nil && deliveryInfo == nil
      && deliveryFee == nil && prices == nil
  }
}

/// A product's place in an upstream's list.
enum UpstreamListing: Equatable, Sendable {
  case item(UpstreamItem)
  /// It is there, but what is said about it cannot be taken.
  case unreadable(ProductID)

  var id: ProductID {
    switch self {
    case .item(let item): item.id
    case .unreadable(let id): id
    }
  }
}
