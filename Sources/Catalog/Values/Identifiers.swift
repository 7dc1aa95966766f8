import JSON

/// What a product is called in every address, for ever: `HBDEF`. It survives a new import.
public struct ProductID: Hashable, Sendable, CustomStringConvertible {
  /// 1 to 32 of `A-Z a-z 0-9 - _`.
  public let text: String

  /// An id from its text.
  public init(_ text: String) throws(JSONRule) { self.text = try ShopIdentifier.checked(text) }
  init(stored text: String) { self.text = text }

  /// The text.
  public var description: String { text }
}

/// What a section is called in addresses: `soup`.
public struct SectionID: Hashable, Sendable, CustomStringConvertible {
  /// 1 to 32 of `A-Z a-z 0-9 - _`.
  public let text: String

  /// An id from its text.
  public init(_ text: String) throws(JSONRule) { self.text = try ShopIdentifier.checked(text) }
  init(stored text: String) { self.text = text }

  /// The text.
  public var description: String { text }
}

/// What a collection is called: `17011200`. Clients of the compatible surfaces expect digits.
public struct CollectionID: Hashable, Sendable, CustomStringConvertible {
  /// 1 to 32 of `A-Z a-z 0-9 - _`.
  public let text: String

  /// An id from its text.
  public init(_ text: String) throws(JSONRule) { self.text = try ShopIdentifier.checked(text) }
  init(stored text: String) { self.text = text }

  /// The text.
  public var description: String { text }
}
