/// The place of a value in a JSON document (RFC 6901): `/products/3/price`. Empty is the whole document.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The keys and indices on the way, unescaped.
  public let tokens: [String]

  /// The whole document.
  public static let root = JSONPointer(tokens: [])

  /// A pointer from its unescaped tokens.
  public init(tokens: [String]) {
    self.tokens = tokens
  }

  /// The pointer that a text spells, or nil when it does not begin with `/` or has a `~` without `0` or `1`.
  public init?(_ text: String) {
    guard !text.isEmpty else {
      self = .root
      return
    }
    // Cut on bytes: as Characters, a slash with a combining mark would be no slash.
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let first = parts.first, first.isEmpty else { return nil }
    var tokens: [String] = []
    for part in parts.dropFirst() {
      guard let token = Self.unescaped(part) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// The place one key further in.
  public func appending(_ key: String) -> JSONPointer { JSONPointer(tokens: tokens + [key]) }

  /// The place one index further in.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The pointer as RFC 6901 writes it, `~` as `~0` and `/` as `~1`.
  public var description: String {
    var text: [UInt8] = []
    for token in tokens {
      text.append(UInt8(ascii: "/"))
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): text.append(contentsOf: "~0".utf8)
        case UInt8(ascii: "/"): text.append(contentsOf: "~1".utf8)
        default: text.append(byte)
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The pointer for a sentence, where an empty one would leave a hole.
  var shown: String { tokens.isEmpty ? "the top" : description }

  private static func unescaped(_ token: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in token {
      switch (isEscaped, byte) {
      case (false, UInt8(ascii: "~")): isEscaped = true
      case (false, _): bytes.append(byte)
      case (true, UInt8(ascii: "0")): (isEscaped, bytes) = (false, bytes + [UInt8(ascii: "~")])
      case (true, UInt8(ascii: "1")): (isEscaped, bytes) = (false, bytes + [UInt8(ascii: "/")])
      default: return nil
      }
    }
    return isEscaped ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The value at a place, or nil when there is none. An index is decimal without leading zeros (RFC 6901, section 4).
  public subscript(pointer pointer: JSONPointer) -> JSONValue? {
    var value = self
    for token in pointer.tokens {
      switch value {
      case .object(let members):
        guard let member = members[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(token), String(index) == token, elements.indices.contains(index) else { return nil }
        value = elements[index]
      default:
        return nil
      }
    }
    return value
  }
}
