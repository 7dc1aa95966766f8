import HTTP
import Net
import Synchronization

/// Fetches from origins over HTTP/1.1, plain or by TLS, within limits and rules that no origin can bend.
///
/// Only GET, without cookies, credentials or a referer. Redirects are followed; every hop's address is checked. Each
/// event loop keeps connections of its own for reuse.
///
///     let client = HTTPClient(configuration)
///     let answer = try await client.get(url, on: loop)
///     while let bytes = try await answer.next() { … }
public final class HTTPClient: Sendable {
  /// What all fetches of a client have in common.
  public struct Configuration: Sendable {
    /// The addresses that are spoken to.
    public var rules: AddressRules
    /// Times and sizes.
    public var limits = FetchLimits()
    /// The authorities that certificates are checked against.
    public var tls: TLSClientContext
    /// What the `User-Agent` field says.
    public var userAgent = "banchan/0.1"
    /// What the `Accept` field says.
    public var accept = "image/*"
    /// Who looks names up.
    public var resolver = Resolver()

    /// The defaults, with rules and authorities.
    public init(rules: AddressRules, tls: TLSClientContext) {
      self.rules = rules
      self.tls = tls
    }
  }

  private let limits: FetchLimits
  private let fields: [UInt8]
  private let connector: Connector
  private let pools = Mutex<[ObjectIdentifier: ConnectionPool]>([:])

  /// A client that holds nothing open yet.
  public init(_ configuration: Configuration) {
    limits = configuration.limits
    connector = Connector(
      rules: configuration.rules, tls: configuration.tls, resolver: configuration.resolver, limits: configuration.limits
    )
    let lines = [
      "User-Agent: \(configuration.userAgent)", "Accept: \(configuration.accept)", "Accept-Encoding: identity",
    ]
    fields = Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  deinit {
    // Streams are closed on their loop and nowhere else.
    for pool in pools.withLock({ Array($0.values) }) { pool.closeOnLoop() }
  }

  /// Asks for `url`, follows redirects, and returns when the head of the answer is there, whatever its status.
  ///
  /// Runs on `loop`: the calling task must be on it, and the answer stays there.
  ///
  /// - Parameter validators: those of the copy at hand; where it still holds the answer is 304.
  /// - Throws: `FetchError`, with everything opened for the fetch closed again.
  public func get(
    _ url: OriginURL, unless validators: Validators = .none, on loop: EventLoop
  ) async throws(FetchError) -> FetchedResponse {
    var patience = Patience(limits: limits, now: loop.now)
    var url = url
    var visited: Set<OriginURL> = []
    while true {
      visited.insert(url)
      patience.startHop()
      let response = try await answer(request(for: url, validators), from: url, on: loop, patience: patience)
      guard let location = try redirect(response.head) else { return response }
      guard visited.count <= limits.redirects else { throw .tooManyRedirects(limit: limits.redirects) }
      let next: OriginURL
      do throws(URLFault) { next = try url.resolving(location) } catch { throw .redirectURL(error) }
      guard !(url.origin.scheme == .https && next.origin.scheme == .http) else { throw .redirectDowngrade(next) }
      guard !visited.contains(next) else { throw .redirectLoop(next) }
      await response.discard()
      url = next
    }
  }

  /// Where a redirect leads; nil when the answer is none, or does not say where to.
  private func redirect(_ head: ResponseHead) throws(FetchError) -> [UInt8]? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    let locations = head.values(of: .location)
    guard locations.count <= 1 else { throw .head(.field) }
    return locations.first
  }

  /// One hop: a connection that waits or a new one, the request, and the answer's head.
  private func answer(
    _ request: [UInt8], from url: OriginURL, on loop: EventLoop, patience: Patience
  ) async throws(FetchError) -> FetchedResponse {
    let pool = pool(of: loop)
    // A connection that waited may be closed by the origin just now. That says nothing about the origin, so the request
    // goes out again; as it is a GET, nothing happens twice.
    while let waiting = pool.take(for: url.origin) {
      var trial = patience
      do throws(FetchError) {
        let head = try await waiting.exchange(request, patience: &trial, limits: limits)
        return FetchedResponse(head, from: url, over: waiting, pool: pool, limits: limits, patience: trial)
      } catch {
        guard case .unreachable = error else { throw error }
      }
    }
    let connection = try await connector.connect(to: url.origin, on: loop, patience: patience)
    var patience = patience
    let head = try await connection.exchange(request, patience: &patience, limits: limits)
    return FetchedResponse(head, from: url, over: connection, pool: pool, limits: limits, patience: patience)
  }

  private func request(for url: OriginURL, _ validators: Validators) -> [UInt8] {
    var bytes = Array("GET ".utf8)
    bytes.reserveCapacity(url.target.count + fields.count + 64)
    bytes += url.target
    bytes += Array(" HTTP/1.1\r\nHost: ".utf8)
    bytes += url.origin.hostField
    bytes += [0x0D, 0x0A]
    bytes += fields
    bytes += validators.fields
    bytes += [0x0D, 0x0A]
    return bytes
  }

  private func pool(of loop: EventLoop) -> ConnectionPool {
    pools.withLock { pools in
      if let pool = pools[ObjectIdentifier(loop)] { return pool }
      let pool = ConnectionPool(loop: loop)
      pools[ObjectIdentifier(loop)] = pool
      return pool
    }
  }
}
