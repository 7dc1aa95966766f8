/// A URL that a picture is fetched from, in its one canonical form (images.md, section 1).
///
/// Scheme and host are in lower case, a default port and a fragment are gone, escapes have upper-case digits, and raw
/// spaces and non-ASCII bytes are escaped. **Nothing else** is touched: object stores tell `+` from `%20`, composed from
/// decomposed Hangul, and `//` from `/`. So the path may hold what other software would normalise away.
///
/// Compares and hashes by bytes, never as text: Swift holds composed and decomposed Hangul for equal.
///
///     try OriginURL(Array("HTTP://Shop.example:80/갈비 1.jpg#a".utf8)).description
///     // "http://shop.example/%EA%B0%88%EB%B9%84%201.jpg"
public struct OriginURL: Hashable, Sendable {
  /// Who is spoken to.
  public let origin: Origin
  /// Path and query as they stand in the request line; begins with a slash.
  public let target: [UInt8]

  /// The most bytes a canonical URL may have; the longest request line that common servers take.
  public static let maximumLength = 8000

  /// Reads an absolute http or https URL.
  public init(_ text: [UInt8]) throws(URLFault) {
    guard let split = Self.splitScheme(text) else { throw .relative }
    let scheme = try Self.scheme(split.scheme)
    guard split.rest.starts(with: "//".utf8) else { throw .host("") }
    try self.init(scheme: scheme, hierarchy: split.rest.dropFirst(2))
  }

  /// Reads what follows `scheme://`.
  init(scheme: Origin.Scheme, hierarchy: ArraySlice<UInt8>) throws(URLFault) {
    let end = hierarchy.firstIndex(where: isAuthorityEnd) ?? hierarchy.endIndex
    let origin = try Origin(scheme: scheme, authority: hierarchy[..<end])
    try self.init(origin: origin, rawTarget: hierarchy[end...])
  }

  /// Makes a target canonical: drops the fragment, adds the slash that an empty path stands for, and escapes.
  init(origin: Origin, rawTarget: ArraySlice<UInt8>) throws(URLFault) {
    let end = rawTarget.firstIndex(of: UInt8(ascii: "#")) ?? rawTarget.endIndex
    let raw = rawTarget[..<end]
    var target: [UInt8] = raw.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    target.reserveCapacity(raw.count + 16)
    var index = raw.startIndex
    while index < raw.endIndex {
      let byte = raw[index]
      if byte < 0x20 || byte == 0x7F { throw .controlCharacter(offset: index) }
      if byte == 0x20 || byte >= 0x80 {
        target.append(contentsOf: [UInt8(ascii: "%"), Self.hexDigit(byte >> 4), Self.hexDigit(byte & 15)])
      } else if byte == UInt8(ascii: "%"), raw.endIndex - index > 2, isHex(raw[index + 1]), isHex(raw[index + 2]) {
        target.append(contentsOf: [byte, Self.upper(raw[index + 1]), Self.upper(raw[index + 2])])
        index += 2
      } else {
        target.append(byte)
      }
      index += 1
    }
    self.origin = origin
    self.target = target
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
  }

  /// The whole URL in its canonical form: what a cache index goes by.
  public var bytes: [UInt8] { Array("\(origin.scheme.rawValue)://".utf8) + origin.hostField + target }

  static func scheme(_ text: ArraySlice<UInt8>) throws(URLFault) -> Origin.Scheme {
    let name = String(decoding: text.map { $0 | 0x20 }, as: UTF8.self)
    guard let scheme = Origin.Scheme(rawValue: name) else { throw .scheme(String(decoding: text, as: UTF8.self)) }
    return scheme
  }

  /// Parts `scheme:rest` (RFC 3986, section 3.1); nil when no scheme stands in front.
  static func splitScheme(_ text: [UInt8]) -> (scheme: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, isLetter(first) else {
      return nil
    }
    let scheme = text[..<colon]
    let isScheme = scheme.allSatisfy { byte in
      isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
    return isScheme ? (scheme, text[(colon + 1)...]) : nil
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  private static func upper(_ digit: UInt8) -> UInt8 { digit >= UInt8(ascii: "a") ? digit - 0x20 : digit }
}

extension OriginURL: CustomStringConvertible {
  /// The canonical URL, which is ASCII.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

private func isHex(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}

private func isAuthorityEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
}
