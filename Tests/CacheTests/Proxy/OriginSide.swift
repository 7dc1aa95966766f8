@testable import Client
import CLinux
@testable import HTTP
import Net

@testable import Images

/// An answer of the origin, whole.
struct OriginAnswer: Sendable {
  let head: ResponseHead
  let fields: Fields
  let body: [UInt8]
  let exchange: Freshness.Exchange
}

/// The way to the origin: the product's connections, parser and limits, with requests of any method and fields.
struct OriginSide: Sendable {
  let url: OriginURL
  private let connector: Connector
  private let limits = FetchLimits()
  private let loop: EventLoop

  init(_ url: OriginURL, on loop: EventLoop) throws {
    self.url = url
    self.loop = loop
    connector = Connector(
      rules: AddressRules(allowing: [url.origin]), tls: try TLSClientContext(authorities: nil), resolver: Resolver(),
      limits: limits)
  }

  /// Asks, on a connection of its own.
  func ask(_ method: [UInt8], _ target: [UInt8], _ fields: Fields, _ body: [UInt8]) async throws(FetchError)
    -> OriginAnswer
  {
    let requestedAt = clinux_wall_seconds()
    var patience = Patience(limits: limits, now: loop.now)
    let connection = try await connector.connect(to: url.origin, on: loop, patience: patience)
    var request = method + [0x20] + target + Array(" HTTP/1.1\r\n".utf8)
    fields.append(to: &request)
    if !body.isEmpty { request += Array("Content-Length: \(body.count)\r\n".utf8) }
    request += Array("Connection: close\r\n\r\n".utf8) + body
    let head = try await connection.exchange(request, patience: &patience, limits: limits)
    let response = FetchedResponse(
      head, from: url, over: connection, pool: ConnectionPool(loop: loop), limits: limits, patience: patience)
    let receivedAt = clinux_wall_seconds()
    var whole: [UInt8] = []
    while let bytes = try await response.next() { whole += bytes }
    return OriginAnswer(
      head: head, fields: Fields(head), body: whole,
      exchange: Freshness.Exchange(requestedAt: requestedAt, receivedAt: receivedAt))
  }
}
