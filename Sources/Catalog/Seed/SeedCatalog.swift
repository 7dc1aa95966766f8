/// A whole catalog as a seed file holds it: every id known, every rule kept.
///
/// It is made by `SeedFile`, or out of a snapshot, and nothing else.
public struct SeedCatalog: Equatable, Sendable {
  /// The shop.
  public let shop: ShopProfile
  /// The sections in the shop's order.
  public let sections: [Section]
  /// The products in the shop's order.
  public let products: [Product]
  /// The collections in order.
  public let collections: [ProductCollection]

  init(shop: ShopProfile, sections: [Section], products: [Product], collections: [ProductCollection]) {
    self.shop = shop
    self.sections = sections
    self.products = products.map { $0.leavingOutDefaults(of: shop) }
    self.collections = collections
  }
}
