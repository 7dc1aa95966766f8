/// The whole catalog at one moment. It never changes; what changes is which snapshot is the current one.
///
/// Two snapshots share every entry, picture and table that did not change between them.
public final class CatalogSnapshot: Sendable {
  /// Goes up with each change that an answer could show, and never down. 0 before the first import.
  public let version: Int64
  /// When this version was published, in seconds since 1970, UTC. Never before the one of an earlier version.
  public let publishedAt: Int64
  /// The shop.
  public let shop: ShopEntry
  /// Every picture that the catalog refers to, those of hidden products included.
  public let pictures: [PictureReference: Picture]
  /// All products in the shop's order, hidden ones included.
  let entries: [ProductEntry]
  let layout: CatalogLayout

  init(
    version: Int64, publishedAt: Int64, shop: ShopEntry, pictures: [PictureReference: Picture], entries: [ProductEntry],
    layout: CatalogLayout
  ) {
    self.version = version
    self.publishedAt = publishedAt
    self.shop = shop
    self.pictures = pictures
    self.entries = entries
    self.layout = layout
  }

  /// The sections in the shop's order.
  public var sections: [Shelf] {
    layout.shelves.map { Shelf(section: $0.section, products: row($0.places)) }
  }

  /// The section of an id.
  public func section(_ id: SectionID) -> Shelf? {
    layout.shelfOfSection[id].map { index in
      let shelf = layout.shelves[index]
      return Shelf(section: shelf.section, products: row(shelf.places))
    }
  }

  /// All products that answers may show, in the shop's order.
  public var products: ProductRow { row(layout.visible) }

  /// How many products there are, hidden ones included.
  public var productCount: Int { entries.count }

  /// The product of an id, unless it is hidden.
  public func product(_ id: ProductID) -> ProductEntry? {
    entry(id).flatMap { $0.isVisible ? $0 : nil }
  }

  /// The collections in order.
  public var collections: [CollectionShelf] {
    zip(layout.collections, layout.collectionPlaces).map { CollectionShelf(collection: $0, products: row($1)) }
  }

  /// The product of an id, hidden or not.
  func entry(_ id: ProductID) -> ProductEntry? {
    layout.places[id].map { entries[$0] }
  }

  private func row(_ places: [Int]) -> ProductRow { ProductRow(entries: entries, places: places) }
}

extension SeedCatalog {
  /// The catalog of a snapshot, hidden products and the sections they need included: what an export writes.
  public init(_ snapshot: CatalogSnapshot) {
    self.init(
      shop: snapshot.shop.profile, sections: snapshot.layout.sections.map(\.section),
      products: snapshot.entries.map(\.product), collections: snapshot.layout.collections)
  }
}
