import Net

/// A scheme, a host and a port: who is spoken to, and what an operator allows.
///
/// Made only by parsing a URL, so it is always canonical (lower case, explicit port) and compares byte for byte.
public struct Origin: Hashable, Sendable {
  /// The two schemes that pictures are fetched by.
  public enum Scheme: String, Sendable {
    case http, https

    /// The port that stands for itself when a URL names none.
    public var defaultPort: UInt16 { self == .http ? 80 : 443 }
  }

  /// Plain, or by TLS.
  public let scheme: Scheme
  /// The host in lower-case ASCII: a name, an IPv4 address, or an IPv6 address in brackets.
  public let host: [UInt8]
  /// 1 to 65535, the scheme's own when the URL named none.
  public let port: UInt16

  /// Reads `SCHEME://HOST[:PORT]`, as `--origin-allow` takes it.
  public init(_ text: [UInt8]) throws(URLFault) {
    let url = try OriginURL(text)
    guard url.target == [UInt8(ascii: "/")] else { throw .notAnOrigin }
    self = url.origin
  }

  init(scheme: Scheme, authority: ArraySlice<UInt8>) throws(URLFault) {
    guard !authority.contains(UInt8(ascii: "@")) else { throw .userInformation }
    let host: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if authority.first == UInt8(ascii: "["), let end = authority.firstIndex(of: UInt8(ascii: "]")) {
      host = authority[...end]
      rest = authority[(end + 1)...]
    } else {
      let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      host = authority[..<end]
      rest = authority[end...]
    }
    self.scheme = scheme
    self.host = try Self.canonical(host)
    self.port = try Self.port(rest) ?? scheme.defaultPort
  }

  /// The name that look-up and certificate check go by: no brackets, no closing dot.
  public var serverName: String {
    var name = host[...]
    if name.first == UInt8(ascii: "[") { name = name.dropFirst().dropLast() }
    if name.last == UInt8(ascii: ".") { name = name.dropLast() }
    return String(decoding: name, as: UTF8.self)
  }

  /// What the Host field says: the port only when it is not the scheme's own.
  public var hostField: [UInt8] {
    port == scheme.defaultPort ? host : host + Array(":\(port)".utf8)
  }

  private static func port(_ text: ArraySlice<UInt8>) throws(URLFault) -> UInt16? {
    guard let colon = text.first else { return nil }
    let digits = text.dropFirst()
    let fault = URLFault.port(String(decoding: digits, as: UTF8.self))
    guard colon == UInt8(ascii: ":") else { throw fault }
    guard !digits.isEmpty else { return nil }
    var port: UInt16 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw fault }
      let (tenfold, overflow) = port.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(UInt16(digit - UInt8(ascii: "0")))
      guard !overflow, !carry else { throw fault }
      port = sum
    }
    guard port > 0 else { throw fault }
    return port
  }

  private static func canonical(_ host: ArraySlice<UInt8>) throws(URLFault) -> [UInt8] {
    let lower = host.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    let text = String(decoding: lower, as: UTF8.self)
    if lower.first == UInt8(ascii: "[") {
      guard lower.last == UInt8(ascii: "]"), IPAddress(String(text.dropFirst().dropLast()))?.family == .v6 else {
        throw .host(text)
      }
      return lower
    }
    guard isName(lower) else { throw .host(text) }
    // The resolver would read 127.1, 0x7f000001 and 2130706433 as addresses too. A picture's URL needs no such disguise.
    if endsInNumber(lower), IPAddress(text)?.family != .v4 { throw .host(text) }
    return lower
  }

  private static func isName(_ host: [UInt8]) -> Bool {
    guard !host.isEmpty, host.count <= 254 else { return false }
    var labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    return labels.allSatisfy { label in
      (1...63).contains(label.count)
        && label.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
  }

  private static func endsInNumber(_ host: [UInt8]) -> Bool {
    guard let last = host.split(separator: UInt8(ascii: ".")).last else { return false }
    return last.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } || last.starts(with: "0x".utf8)
  }
}

extension Origin: CustomStringConvertible {
  /// The origin as `--origin-allow` takes it.
  public var description: String { "\(scheme.rawValue)://\(String(decoding: hostField, as: UTF8.self))" }
}
