/// The members of a JSON object, in the order in which they were written.
///
/// Keys are told apart by their bytes, as RFC 8259 compares them: to Swift, composed and decomposed Hangul would be one key.
/// A look-up goes through a few keys one by one, and through many by a hash with a secret of this process, so that no text
/// can make looking up slow.
public struct JSONObject: Sendable {
  /// A key and its value.
  public typealias Member = (key: String, value: JSONValue)

  private var members: [Member] = []
  /// Where each key stands, once there are many.
  private var places: [KeyBytes: Int] = [:]

  /// Up to here, comparing keys is cheaper than hashing them.
  private static let few = 16

  /// No members.
  public init() {}

  /// The value under a key, or nil when there is none.
  public subscript(_ key: String) -> JSONValue? {
    place(of: key).map { members[$0].value }
  }

  /// Whether the key is there.
  public func contains(key: String) -> Bool { place(of: key) != nil }

  /// Adds a member at the end. Nobody may have asked for two members of one key: look with `contains(key:)` first.
  mutating func append(_ value: JSONValue, for key: String) {
    members.append((key, value))
    if members.count > Self.few + 1 {
      places[KeyBytes(text: key)] = members.count - 1
    } else if members.count == Self.few + 1 {
      for (place, member) in members.enumerated() { places[KeyBytes(text: member.key)] = place }
    }
  }

  private func place(of key: String) -> Int? {
    guard members.count <= Self.few else { return places[KeyBytes(text: key)] }
    return members.firstIndex { KeyBytes.areEqual($0.key, key) }
  }

  /// A key as bytes.
  private struct KeyBytes: Hashable, Sendable {
    let text: String

    static func == (one: KeyBytes, other: KeyBytes) -> Bool { areEqual(one.text, other.text) }

    static func areEqual(_ one: String, _ other: String) -> Bool {
      one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
    }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}

extension JSONObject: RandomAccessCollection {
  /// The place of the first member.
  public var startIndex: Int { members.startIndex }
  /// The place behind the last member.
  public var endIndex: Int { members.endIndex }
  /// The member at a place.
  public subscript(_ place: Int) -> Member { members[place] }
}

extension JSONObject: Equatable {
  /// Whether both have the same keys with the same values, in whatever order.
  public static func == (one: JSONObject, other: JSONObject) -> Bool {
    one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object as it stands in a test. Of two members of one key the first counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    for (key, value) in members where !contains(key: key) { append(value, for: key) }
  }
}
