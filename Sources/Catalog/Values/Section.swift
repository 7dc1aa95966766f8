import JSON

/// A part of the shop, in which every product has one place.
public struct Section: Hashable, Sendable {
  /// What it is called in addresses.
  public let id: SectionID
  /// Its short name, 1 to 100 characters: 국・찌개.
  public let name: String
  /// Its headline, at most 200 characters: 김이 모락모락 국・찌개.
  public let title: String

  /// A section from its parts.
  public init(id: SectionID, name: String, title: String) throws(JSONRule) {
    self.id = id
    self.name = try ShopText.checked(name, length: Self.nameLength)
    self.title = try ShopText.checked(title, length: Self.titleLength)
  }

  init(stored id: SectionID, name: String, title: String) {
    self.id = id
    self.name = name
    self.title = title
  }

  static let nameLength = 1...100
  static let titleLength = 0...200
}
