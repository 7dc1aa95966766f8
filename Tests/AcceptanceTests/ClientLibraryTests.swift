import BanchanClient
import FoundationEssentials
import Testing

/// The Swift client, against the real server.
@Suite("The Swift client and the shop", .blocking)
struct ClientLibraryTests {
  @Test("An app starts with the list, keeps its pictures, and shows both when the shop is gone")
  func offline() throws {
    try withDemoShop { shop in
      let transport = Wire(port: shop.port)
      let shown = try finished { [path = shop.folder["app"]] in
        let client = try Self.client(transport, path)
        let catalog = try await client.catalog()
        #expect(catalog.source == .shop && catalog.value.sections.count == 7)
        #expect(try await client.catalog().source == .unchanged)
        let first = try #require(catalog.value.products.first)
        let product = try await client.product(first.id).value
        #expect(product.title == first.title && product.images.count == 5)
        await #expect(throws: BanchanError.self) { try await client.product("NONE") }
        let pictures = catalog.value.products.prefix(8).map(\.image)
        #expect(await client.keepPictures([.thumb], of: pictures) == 0)
        let requests = transport.count
        #expect(await client.keepPictures([.thumb], of: pictures) == 0)
        #expect(transport.count == requests)
        return (catalog.value, pictures)
      }

      try shop.stop()
      try finished { [path = shop.folder["app"]] in
        let client = try Self.client(transport, path)
        let catalog = try await client.catalog()
        #expect(catalog.source == .kept && catalog.value.products.map(\.id) == shown.0.products.map(\.id))
        #expect(try await client.product(shown.0.products[0].id).source == .kept)
        for picture in shown.1 {
          #expect(try await client.picture(picture, .thumb).starts(with: [0xFF, 0xD8]))
        }
        await #expect(throws: BanchanError.self) { try await client.product("HF778") }
      }

      try shop.restart()
      let again = Wire(port: shop.port)
      try finished { [path = shop.folder["app"]] in
        let client = try Self.client(again, path)
        #expect(try await client.catalog().value.products.map(\.id) == shown.0.products.map(\.id))
        #expect(try await client.catalog().source == .unchanged)
      }
    }
  }

  @Test("A shop that fails has not changed: what was kept is shown, and no error is kept")
  func faults() throws {
    try withShop(arguments: ["--dev"]) { shop in
      try finished { [path = shop.folder["app"], port = shop.port] in
        let client = try Self.client(Wire(port: port), path)
        let good = try await client.catalog()
        for fault in ["status=503", "drop", "truncate=0.5"] {
          let failing = try Self.client(Wire(port: port, fields: ["Banchan-Fault: \(fault)"]), path)
          let kept = try await failing.catalog()
          #expect(kept.source == .kept && kept.value.products.map(\.id) == good.value.products.map(\.id), "\(fault)")
        }
        #expect(try await client.catalog().source == .unchanged)
      }
    }
  }

  private static func client(_ transport: Wire, _ folder: String) throws -> BanchanClient {
    // The host that the tests' requests name, and so that of the URLs in answers.
    BanchanClient(try #require(URL(string: "http://shop.test/")), transport: transport, folder: folder)
  }

  /// Runs asynchronous code to its end.
  @discardableResult
  private func finished<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) throws -> Result {
    let outcome = Monitor<Swift.Result<Result, any Error>?>(nil)
    Task.detached(executorPreference: BlockingThreads.shared) {
      do {
        let result = try await work()
        outcome.with { $0 = .success(result) }
      } catch {
        outcome.with { $0 = .failure(error) }
      }
    }
    return try #require(outcome.wait { $0 }).get()
  }
}

/// A client's way to the shop: a connection for each request.
private final class Wire: Transport {
  private let port: UInt16
  private let fields: [String]
  private let requests = Monitor(0)

  init(port: UInt16, fields: [String] = []) {
    self.port = port
    self.fields = fields
  }

  /// How many requests went over it.
  var count: Int { requests.with { $0 } }

  func get(_ url: URL, fields: [String: String]) async throws -> TransportAnswer {
    requests.with { $0 += 1 }
    let connection = try RawConnection(port: port)
    try connection.request("GET", url.path, fields.map { "\($0.key): \($0.value)" } + self.fields)
    let reply = try connection.readReply()
    return TransportAnswer(status: reply.status, entityTag: reply["ETag"], body: Data(reply.body))
  }
}
