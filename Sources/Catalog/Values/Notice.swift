import JSON

/// One thing that the law wants said at the point of sale: origin, expiry, amount, storage, allergens.
public struct Notice: Hashable, Sendable {
  /// What it is about, 1 to 50 characters: 원산지.
  public let label: String
  /// What there is to say, 1 to 1,000 characters.
  public let value: String

  /// A notice from its texts.
  public init(label: String, value: String) throws(JSONRule) {
    self.label = try ShopText.checked(label, length: Self.labelLength)
    self.value = try ShopText.checked(value, length: Self.valueLength)
  }

  static let labelLength = 1...50
  static let valueLength = 1...1_000

  fileprivate init(storedLabel label: String, value: String) {
    self.label = label
    self.value = value
  }
}

/// A product's notices in their order.
///
/// A shop of ten thousand products has seventy thousand notices that are hardly ever looked at; so they are kept as one text
/// and taken apart when asked for. Between the parts stands U+001F, which no text of the shop may hold.
public struct NoticeList: Hashable, Sendable, Sequence {
  /// Label and value in turn, apart by U+001F: the form in the database.
  let packed: String

  /// A list from its notices.
  public init(_ notices: [Notice]) {
    packed = notices.flatMap { [$0.label, $0.value] }.joined(separator: "\u{1F}")
  }

  init(packed: String) { self.packed = packed }

  /// Whether there are none.
  public var isEmpty: Bool { packed.isEmpty }

  /// Goes through the notices in order.
  public func makeIterator() -> Iterator { Iterator(rest: packed.utf8[...]) }

  /// Takes one notice after the other off the packed text.
  public struct Iterator: IteratorProtocol {
    var rest: Substring.UTF8View

    /// The next notice.
    public mutating func next() -> Notice? {
      guard !rest.isEmpty else { return nil }
      let label = part()
      return Notice(storedLabel: label, value: part())
    }

    private mutating func part() -> String {
      let end = rest.firstIndex(of: 0x1F) ?? rest.endIndex
      defer { rest = rest[end...].dropFirst() }
      return String(Substring(rest[..<end]))
    }
  }
}
