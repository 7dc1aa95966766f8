import FoundationEssentials
import Testing

@testable import BanchanClient

@Suite("The client")
struct BanchanClientTests {
  private static let catalogPath = "/api/v1/catalog"
  private struct Failure: Error {}

  /// A shop with the examples of the API's document, and a client of it.
  private func withClient(_ work: (ScriptedTransport, BanchanClient, String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("banchan-client-\(UUID().uuidString)")
      .path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let transport = ScriptedTransport()
    transport[Self.catalogPath] = try Example.answer(to: "getCatalog")
    transport["/api/v1/products/HBDEF"] = try Example.answer(to: "getProduct")
    try await work(transport, client(transport, folder), folder)
  }

  private func client(_ transport: ScriptedTransport, _ folder: String) throws -> BanchanClient {
    BanchanClient(try #require(URL(string: "http://shop.test/")), transport: transport, folder: folder)
  }

  @Test("The API's answers are read, whatever is unknown in them")
  func models() async throws {
    try await withClient { _, client, _ in
      let catalog = try await client.catalog().value
      #expect(catalog.sections.first?.name == "메인반찬")
      let summary = try #require(catalog.products.first)
      #expect(summary.title == "소갈비찜" && summary.price.amount == 24_900 && summary.listPrice?.text == "29,900원")
      #expect(summary.badges.map(\.id) == ["main", "best"] && summary.status == .onSale && summary.stock == nil)
      let product = try await client.product("HBDEF").value
      #expect(product.title == summary.title && product.id == "HBDEF")
      #expect(product.notices.first?.label == "원산지" && product.points == 249 && product.delivery.freeFrom == 40_000)
      #expect(product.images.first?.url(.thumb).lastPathComponent == "gx4tkv8t84zf-1a-thumb.jpg")
    }
  }

  @Test("What has not changed is asked for with its entity tag, and not sent again")
  func unchanged() async throws {
    try await withClient { transport, client, _ in
      #expect(try await client.catalog().source == .shop)
      let again = try await client.catalog()
      #expect(again.source == .unchanged && again.value.version == 1)
      #expect(transport.asked.map(\.tag) == [nil, "\"1\""])
      transport[Self.catalogPath] = try Example.answer(to: "getCatalog", tag: "\"2\"")
      #expect(try await client.catalog().source == .shop)
    }
  }

  @Test("When the shop is away or fails, the last answer is there, also for a client that is started anew")
  func offline() async throws {
    try await withClient { transport, client, folder in
      let catalog = try await client.catalog().value
      transport.isAway = true
      let later = try self.client(transport, folder)
      let kept = try await later.catalog()
      #expect(kept.source == .kept && kept.value == catalog)
      // What was never asked for is not there, and the reason is told.
      await #expect(throws: BanchanError.self) { try await later.product("HBDEF") }
      transport.isAway = false
      transport[Self.catalogPath] = TransportAnswer(status: 503, entityTag: nil, body: Data())
      #expect(try await later.catalog().source == .kept)
    }
  }

  @Test("A problem of the shop is told by its code")
  func problem() async throws {
    try await withClient { transport, client, _ in
      let error = await #expect(throws: BanchanError.self) { try await client.product("없는 것") }
      guard case .problem(404, let problem?) = error else { throw Failure() }
      #expect(problem.code == "not-found")
      #expect(transport.asked.last?.path == "/api/v1/products/없는 것")
      transport[Self.catalogPath] = TransportAnswer(status: 200, entityTag: "\"x\"", body: Data("<html>".utf8))
      await #expect(throws: BanchanError.self) { try await client.catalog() }
      // What could not be read was not kept either.
      transport[Self.catalogPath] = try Example.answer(to: "getCatalog")
      #expect(try await client.catalog().source == .shop)
    }
  }

  @Test("A picture is fetched once and then here; an error is never kept as one")
  func pictures() async throws {
    try await withClient { transport, client, _ in
      let picture = try #require(try await client.catalog().value.products.first).image
      let path = picture.url(.thumb).path
      await #expect(throws: BanchanError.self) { try await client.picture(picture, .thumb) }
      #expect(await client.keepPictures([.thumb], of: [picture]) == 1)
      transport[path] = TransportAnswer(status: 200, entityTag: nil, body: Data("a picture".utf8))
      #expect(await client.keepPictures([.thumb], of: [picture]) == 0)
      transport.isAway = true
      #expect(try await client.picture(picture, .thumb) == Data("a picture".utf8))
      client.removePictures(except: [])
      await #expect(throws: BanchanError.self) { try await client.picture(picture, .thumb) }
    }
  }

  @Test(
    "No name leads out of the folder",
    arguments: ["../../etc/passwd", "..", ".", "/a", "a/b", "%2e%2e", "한글.jpg", "a\u{0}b", ""])
  func names(_ text: String) throws {
    let name = AnswerFolder.fileName(text)
    #expect(!name.contains("/") && !name.hasPrefix(".") && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
  }
}
