import HTTP
import Net
import OriginScripts
import Testing

@testable import Client

/// Fetches a whole answer from a script's origin, which is allowed although it is on loopback.
func fetch(
  _ url: String, allowing origins: [String]? = nil, authority: String? = nil,
  limits change: @escaping @Sendable (inout FetchLimits) -> Void = { _ in }
) async throws -> (status: Int, body: [UInt8], url: String) {
  try await onLoop { loop in
    try await read(makeClient(allowing: origins ?? [url], authority: authority, limits: change), url, on: loop)
  }
}

func makeClient(
  allowing origins: [String], authority: String? = nil, limits change: (inout FetchLimits) -> Void = { _ in }
) throws -> HTTPClient {
  let allowed = Set(try origins.map { try OriginURL(Array($0.utf8)).origin })
  var configuration = HTTPClient.Configuration(
    rules: AddressRules(allowing: allowed), tls: try TLSClientContext(authorities: authority))
  // A busy machine must not look like a slow origin: tests of slowness set limits of their own.
  configuration.limits.connectMilliseconds = 30_000
  configuration.limits.firstByteMilliseconds = 30_000
  configuration.limits.rateMilliseconds = 30_000
  configuration.limits.totalMilliseconds = 60_000
  change(&configuration.limits)
  return HTTPClient(configuration)
}

func read(
  _ client: HTTPClient, _ url: String, on loop: EventLoop
) async throws -> (status: Int, body: [UInt8], url: String) {
  let response = try await client.get(try OriginURL(Array(url.utf8)), on: loop)
  var body: [UInt8] = []
  while let bytes = try await response.next() { body += bytes }
  return (response.head.status, body, response.url.description)
}

func failure(_ work: () async throws -> some Any) async -> FetchError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error as? FetchError
  }
}
