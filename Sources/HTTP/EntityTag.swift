/// An entity tag (RFC 9110, section 8.8.3): an opaque name for exactly one sequence of bytes, or, when weak, for
/// sequences that mean the same.
public struct EntityTag: Hashable, Sendable {
  /// What stands between the quotes.
  public let opaque: [UInt8]
  /// Whether `W/` stands before it.
  public let isWeak: Bool

  /// A strong tag; `opaque` must be `etagc` bytes (visible ASCII but the quote), which is asserted.
  public init(strong opaque: [UInt8]) {
    assert(opaque.allSatisfy { Self.isTagCharacter($0) })
    self.opaque = opaque
    isWeak = false
  }

  private static func isTagCharacter(_ byte: UInt8) -> Bool {
    byte == 0x21 || (byte >= 0x23 && byte != 0x7f)
  }

  /// Reads `"…"` or `W/"…"`; nil for anything else.
  public init?(_ text: Span<UInt8>) {
    guard let range = Self.opaqueRange(in: text) else { return nil }
    opaque = text.extracting(range).array
    isWeak = text[0] != Octet.quote
  }

  /// The field value, with quotes.
  public var bytes: [UInt8] {
    (isWeak ? Array("W/\"".utf8) : [Octet.quote]) + opaque + [Octet.quote]
  }

  /// Where the opaque part stands, if `text` is one whole tag.
  private static func opaqueRange(in text: Span<UInt8>) -> Range<Int>? {
    let start = text.count >= 4 && text[0] == UInt8(ascii: "W") && text[1] == Octet.slash ? 3 : 1
    guard text.count > start, text[start - 1] == Octet.quote, text[text.count - 1] == Octet.quote else { return nil }
    let range = start..<text.count - 1
    for index in range where !isTagCharacter(text[index]) { return nil }
    return range
  }

  /// Whether a list of tags, as If-Match and If-None-Match have it, names this tag. Allocates nothing.
  /// - Parameter weakly: Compare the opaque parts only (If-None-Match); otherwise both must be strong (If-Match).
  public func isListed(in list: Span<UInt8>, weakly: Bool) -> Bool {
    var isFound = false
    list.forEachListElement(hasEscapes: false) { element in
      let text = list.extracting(element)
      guard let range = Self.opaqueRange(in: text) else { return true }
      let isWeakTag = text[0] != Octet.quote
      guard weakly || (!isWeak && !isWeakTag), range.count == opaque.count else { return true }
      for index in 0..<opaque.count where text[range.lowerBound + index] != opaque[index] { return true }
      isFound = true
      return false
    }
    return isFound
  }
}
