/// Some of a snapshot's products in their order. It costs nothing to make: it looks into the snapshot.
public struct ProductRow: RandomAccessCollection, Sendable {
  let entries: [ProductEntry]
  let places: [Int]

  /// The first index.
  public var startIndex: Int { 0 }
  /// The index behind the last.
  public var endIndex: Int { places.count }
  /// The product at an index of the row.
  public subscript(index: Int) -> ProductEntry { entries[places[index]] }
}

/// A section with the products that stand in it.
public struct Shelf: Sendable {
  /// The section.
  public let section: Section
  /// Its products in the shop's order, hidden ones left out.
  public let products: ProductRow
}

/// A collection with its products.
public struct CollectionShelf: Sendable {
  /// The collection.
  public let collection: ProductCollection
  /// Its products in order, hidden ones left out.
  public let products: ProductRow
}
