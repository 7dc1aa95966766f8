/// Scheme and host in front of every absolute URL in an answer: `https://banchan.example`.
public struct PublicBase: Hashable, Sendable {
  /// ASCII that needs no escaping, without a slash at the end.
  public let bytes: [UInt8]

  /// The base of a request: its Host, or absolute target, as it came.
  public init(isEncrypted: Bool, authority: [UInt8]) {
    // The parser has checked the authority; what cannot stand in a URL or a JSON string is left out all the same, since
    // these bytes go into answers as they are.
    bytes = Array((isEncrypted ? "https://" : "http://").utf8) + authority.filter(Self.isPlain)
  }

  /// The base that an operator set: `http` or `https`, a host, perhaps a port, and nothing else but a slash.
  public init?(url: String) {
    var rest = Array(url.utf8)[...]
    if rest.last == UInt8(ascii: "/"), rest.dropLast().last != UInt8(ascii: "/") { rest = rest.dropLast() }
    let scheme = ["https://", "http://"].first { rest.starts(with: $0.utf8) }
    guard let scheme else { return nil }
    let authority = rest.dropFirst(scheme.utf8.count)
    guard let first = authority.first, first != UInt8(ascii: ":"), authority.allSatisfy(Self.isPlain) else {
      return nil
    }
    bytes = Array(rest)
  }

  /// Letters, digits, and what hosts, ports and addresses in brackets are written with (RFC 3986, section 3.2).
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~%:[]".utf8.contains(byte)
    }
  }
}
