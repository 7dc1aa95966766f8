import JSON

/// Where a picture comes from: an absolute `http(s)` URL, or a path below the shop's picture origin.
///
/// The bytes are kept exactly as they were written, and compared as bytes: composed and decomposed Hangul are different
/// addresses, and a picture's name is a digest of these bytes.
public struct PictureReference: Hashable, Sendable, CustomStringConvertible {
  /// UTF-8, 1 to 2,048 bytes, without control characters and backslashes.
  public let bytes: [UInt8]

  /// A reference from its text.
  public init(_ text: String) throws(JSONRule) {
    let bytes = Array(text.utf8)
    guard (1...2_048).contains(bytes.count) else { throw .referenceLength }
    guard !text.unicodeScalars.contains(where: ShopText.isControl),
      !bytes.contains(UInt8(ascii: "\\"))
    else { throw .referenceCharacter }
    if let length = Self.webSchemeLength(bytes) {
      try Self.checkAuthority(bytes.dropFirst(length))
    } else {
      try Self.checkPath(bytes)
    }
    self.bytes = bytes
  }

  init(stored text: String) { bytes = Array(text.utf8) }

  /// The reference as text. Two that look alike may differ: compare references, not their texts.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Hashes all bytes at once: element by element it would be most of the cost of reading a large catalog.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Whether it is a URL of its own, and no path below the picture origin.
  public var isAbsolute: Bool { Self.webSchemeLength(bytes) != nil }

  /// The length of `http://` or `https://` in any case at the start of the bytes, or nil.
  private static func webSchemeLength(_ bytes: [UInt8]) -> Int? {
    ["http://", "https://"].first { scheme in
      bytes.count >= scheme.utf8.count && zip(bytes, scheme.utf8).allSatisfy { lowercased($0) == $1 }
    }?.utf8.count
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// A host must be named, and no name and password with it: they would be in every export.
  private static func checkAuthority(_ rest: ArraySlice<UInt8>) throws(JSONRule) {
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let first = authority.first, first != UInt8(ascii: ":"), !authority.contains(UInt8(ascii: " ")) else {
      throw .referenceHost
    }
    guard !authority.contains(UInt8(ascii: "@")) else { throw .referenceCredentials }
  }

  private static func checkPath(_ bytes: [UInt8]) throws(JSONRule) {
    // A colon in the first segment makes it a scheme (RFC 3986, section 4.2).
    let first = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard !first.contains(UInt8(ascii: ":")) else { throw .referenceScheme }
    guard bytes.first != UInt8(ascii: "/") else { throw .referenceSlash }
    for segment in bytes.split(separator: UInt8(ascii: "/")) where isDots(segment) { throw .referenceDots }
  }

  /// Whether a segment is `.` or `..`, however its dots are written.
  private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
    var rest = segment.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var dots = 0
    while let byte = rest.first {
      if byte == UInt8(ascii: ".") {
        rest = rest.dropFirst()
      } else if rest.prefix(3).map(lowercased) == Array("%2e".utf8) {
        rest = rest.dropFirst(3)
      } else {
        return false
      }
      dots += 1
    }
    return dots == 1 || dots == 2
  }
}
