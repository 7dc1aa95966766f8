import JSON

/// A choice of products that belong together across sections: 풍성한 고기반찬.
public struct ProductCollection: Hashable, Sendable {
  /// What it is called in answers.
  public let id: CollectionID
  /// Its name, 1 to 100 characters.
  public let name: String
  /// Its products in order, none twice. Hidden ones are in no answer.
  public let products: [ProductID]

  /// A collection from its parts.
  public init(id: CollectionID, name: String, products: [ProductID]) throws(JSONRule) {
    self.id = id
    self.name = try ShopText.checked(name, length: Self.nameLength)
    guard Set(products).count == products.count else { throw .repeated }
    self.products = products
  }

  init(stored id: CollectionID, name: String, products: [ProductID]) {
    self.id = id
    self.name = name
    self.products = products
  }

  static let nameLength = 1...100
}
