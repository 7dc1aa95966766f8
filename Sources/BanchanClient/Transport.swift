#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What sends the client's requests. Apple's systems have ``URLSessionTransport``; elsewhere, and in tests, it is yours.
public protocol Transport: Sendable {
  /// Sends a GET, and gives whatever answer there is. Throws when there is none: the shop cannot be reached.
  func get(_ url: URL, fields: [String: String]) async throws -> TransportAnswer
}

/// An answer, whatever its status.
public struct TransportAnswer: Sendable {
  /// 200, 304, 404 …
  public let status: Int
  /// The `ETag` field, with its quotes.
  public let entityTag: String?
  /// The body, with any coding taken off.
  public let body: Data

  /// An answer from its parts.
  public init(status: Int, entityTag: String?, body: Data) {
    self.status = status
    self.entityTag = entityTag
    self.body = body
  }
}

#if canImport(Darwin)
  /// Sends through a `URLSession`. Its cache is left aside: the client keeps answers itself, and knows which it has.
  public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// A transport through a session; by default one of its own that keeps nothing.
    public init(_ session: URLSession = URLSession(configuration: .ephemeral)) { self.session = session }

    /// Sends it.
    public func get(_ url: URL, fields: [String: String]) async throws -> TransportAnswer {
      var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
      for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
      let (body, response) = try await session.data(for: request)
      guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
      return TransportAnswer(
        status: response.statusCode, entityTag: response.value(forHTTPHeaderField: "ETag"), body: body)
    }
  }
#endif
