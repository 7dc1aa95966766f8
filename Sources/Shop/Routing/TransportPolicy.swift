import HTTP
import Server

/// What a shop asks of how it is reached: everything over TLS, now and (RFC 6797) from now on. Health is answered either
/// way, for probes that know no certificates.
public struct TransportPolicy: Sendable {
  /// The port of HTTPS that plain requests are sent to; nil leaves them as they are.
  public var redirectPort: UInt16?
  /// For how many seconds browsers are to use HTTPS only; nil says nothing of it.
  public var strictSeconds: Int?

  /// Neither.
  public init() {}

  /// 308 to the same target over HTTPS, for a request that came in the clear.
  func redirection(of request: Request) -> Response? {
    guard let redirectPort, !Self.isEncrypted(request), !Self.isHealth(request.head.path) else { return nil }
    let host = Self.host(of: request.head.authority)
    // Without a host there is nowhere to go.
    guard !host.isEmpty else { return nil }
    var location = Array("https://".utf8) + host
    if redirectPort != 443 { location += Array(":\(redirectPort)".utf8) }
    location += request.head.withTarget { $0.array }
    var response = Response(.permanentRedirect)
    response.add(.location, bytes: location)
    return response
  }

  /// Adds Strict-Transport-Security to what goes out encrypted.
  func mark(_ response: inout Response, to request: Request) {
    guard let strictSeconds, Self.isEncrypted(request) else { return }
    response.add(.strictTransportSecurity, "max-age=\(strictSeconds)")
  }

  private static func isEncrypted(_ request: Request) -> Bool {
    if request.isEncrypted { return true }
    return request.isFromTrustedProxy && ForwardedOrigin(request.head).isEncrypted == true
  }

  private static func isHealth(_ path: [UInt8]) -> Bool {
    path == Array("/livez".utf8) || path == Array("/readyz".utf8)
  }

  /// An authority without its port.
  private static func host(of authority: [UInt8]) -> ArraySlice<UInt8> {
    guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return authority[...] }
    if let bracket = authority.lastIndex(of: UInt8(ascii: "]")), bracket > colon { return authority[...] }
    return authority[..<colon]
  }
}
