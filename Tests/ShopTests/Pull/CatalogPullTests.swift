import Client
import Images
import JSON
import Net
import OriginScripts
import Synchronization
import Testing

@testable import Shop

@Suite("Pulling from a shop that does not play by the rules")
struct CatalogPullTests {
  private let picture = PulledShop.picture

  @Test("A shop of one product is there afterwards, placeholder first")
  func wellBehaved() async throws {
    let shop = PulledShop()
    let (report, files, targets, _) = try await pull(shop)
    #expect(report.isComplete && report.stored == 2 && report.fetched == 2 && report.products == 1)
    #expect(files["pictures/\(PulledShop.name)"] == PulledShop.bytes)
    #expect(files["products/H1.json"] != nil && files["catalog.json"] != nil && files["pictures.json"] != nil)
    let pictures = targets.filter { $0.hasPrefix("/images/") }
    #expect(pictures.first == "/images/\(PulledShop.placeholderName)")
  }

  @Test(
    "What is no picture's name never becomes a file",
    arguments: [
      "http://127.0.0.1/images/../../escape.jpg", "/images/x.jpg", "..", "", "/", "http://h/images/a%2f..%2fb.jpg",
      // Another picture's, and another size's.
      "/images/\(PulledShop.placeholderName)", "/images/\(PulledShop.picture)-1a-thumb.jpg",
    ])
  func names(url: String) async throws {
    let shop = PulledShop()
    shop["/api/v1/images"] = .json(
      PulledShop.manifest.replacing("http://shop.test/images/\(PulledShop.name)", with: url))
    await #expect(throws: PullError.self) { _ = try await pull(shop) }
  }

  @Test("Nor does what is no product's id", arguments: ["../H1", "a/b", "", "."])
  func ids(id: String) async throws {
    let shop = PulledShop()
    shop["/api/v1/catalog"] = .json(PulledShop.catalog.replacing("\"H1\"", with: "\"\(id)\""))
    await #expect(throws: PullError.self) { _ = try await pull(shop) }
  }

  @Test("Bytes that are not those of their digest are not kept, nor those of a picture that is changing")
  func wrongBytes() async throws {
    for answer in [
      PulledShop.Answer.picture(PulledShop.bytes + [0]), .picture(PulledShop.bytes, cacheControl: "no-cache"),
      .picture(PulledShop.bytes, tag: "\"00000000000000000000000000000000\""), .status(404), .status(500),
    ] {
      let shop = PulledShop()
      shop["/images/\(PulledShop.name)"] = answer
      let (report, files, _, _) = try await pull(shop)
      #expect(!report.isComplete && report.stored == 1 && report.failures.map(\.name) == [picture], "\(answer)")
      #expect(files["pictures/\(PulledShop.name)"] == nil)
    }
  }

  @Test("A size that the shop does not make is no failure: the original takes its place")
  func missingSizes() async throws {
    for answer in [PulledShop.Answer.picture(PulledShop.bytes, cacheControl: "no-store"), .status(415), .status(422)] {
      let shop = PulledShop()
      shop["/images/\(PulledShop.picture)-1a-thumb.jpg"] = answer
      let (report, files, _, _) = try await pull(shop, sizes: [.thumb])
      #expect(report.isComplete, "\(answer) \(report.failures)")
      #expect(files["pictures/\(PulledShop.name)"] == PulledShop.bytes)
      #expect(files["pictures/\(PulledShop.picture)-1a-thumb.jpg"] == nil)
    }
  }

  @Test("Garbage, HTML and other errors instead of the catalog or the manifest leave the folder as it was")
  func garbage() async throws {
    for path in ["/api/v1/catalog", "/api/v1/images"] {
      for answer in [PulledShop.Answer.json("<html>"), .json("{}"), .json("[]"), .status(404), .status(503)] {
        let shop = PulledShop()
        shop[path] = answer
        await #expect(throws: PullError.self) { _ = try await pull(shop) }
      }
    }
  }

  @Test("A cursor that the shop has forgotten leads to a walk from the start")
  func forgottenCursor() async throws {
    let shop = PulledShop()
    let folder = try TemporaryFolder()
    let port = try await pull(shop, into: folder).port
    shop["/api/v1/images?since=7"] = .json(
      #"{"version":9,"since":7,"placeholderPicture":null,"pictures":[],"removed":[],"nextCursor":"9.7.x","next":null}"#)
    shop["/api/v1/images?cursor=9.7.x"] = .status(400)
    let (report, _, targets, _) = try await pull(shop, into: folder, at: port)
    #expect(report.isComplete && report.fetched == 0)
    #expect(targets.suffix(4).contains("/api/v1/images"))
  }

  // MARK: Helpers

  private func pull(
    _ shop: PulledShop, into folder: TemporaryFolder? = nil, at port: UInt16 = 0, sizes: [PictureSize] = [.original]
  ) async throws -> (report: PullReport, files: [String: [UInt8]], targets: [String], port: UInt16) {
    let folder = try folder ?? TemporaryFolder()
    let origin = try ScriptedOrigin(port: port) { request in shop.answer(request) }
    defer { origin.stop() }
    let report = try await onLoop { loop in
      var configuration = CatalogPull.Configuration(
        shop: try OriginURL(Array(origin.base.utf8)), folder: "\(folder.path)/copy")
      configuration.sizes = sizes
      configuration.pause = 1
      return try await CatalogPull(configuration, on: loop).run { _ in }
    }
    let copy = try PullFolder("\(folder.path)/copy")
    var files: [String: [UInt8]] = [:]
    for inner in ["", "products/", "pictures/"] {
      for name in copy.names(in: inner) { files[inner + name] = copy.read(inner + name) }
    }
    return (report, files, origin.targets, origin.port)
  }
}

/// A shop of one product and one picture besides the placeholder, some of whose answers a test replaces.
private final class PulledShop: Sendable {
  enum Answer: Sendable {
    case json(String)
    case picture([UInt8], cacheControl: String = "public, max-age=31536000, immutable", tag: String? = nil)
    case status(Int)
  }

  static let picture = PictureID(reference: Array("images/a.jpg".utf8)).description
  static let placeholder = PictureID(reference: Array("images/placeholder.jpg".utf8)).description
  static let name = "\(picture)-1a-original.jpg"
  static let placeholderName = "\(placeholder)-1a-original.jpg"
  static let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
  static let placeholderBytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0]

  static let catalog = """
    {"version":7,"shop":{"name":"x"},"sections":[{"id":"main","name":"x","title":"","productCount":1,"href":"x",
    "products":[{"id":"H1","title":"x","image":{"id":"\(picture)"}}]}],"collections":[]}
    """
  static let manifest = """
    {"version":7,"since":null,"placeholderPicture":"\(placeholder)","pictures":[\(entry(picture, bytes)),
    \(entry(placeholder, placeholderBytes))],"removed":[],"nextCursor":null,"next":null}
    """

  private static func entry(_ id: String, _ bytes: [UInt8]) -> String {
    """
    {"id":"\(id)","width":null,"height":null,"color":null,"placeholder":null,"files":{
    "thumb":{"url":"http://shop.test/images/\(id)-1a-thumb.jpg","bytes":null,"digest":null},
    "original":{"url":"http://shop.test/images/\(id)-1a-original.jpg","bytes":null,"digest":"\(Digest.of(bytes).hex)"}}}
    """
  }

  private let answers: Answers = Answers()

  private final class Answers: Sendable {
    let ofTarget = Mutex<[String: Answer]>([
      "/api/v1/catalog": .json(catalog), "/api/v1/images": .json(manifest),
      "/api/v1/images?since=7": .json(
        #"{"version":7,"since":7,"placeholderPicture":"\#(placeholder)","pictures":[],"removed":[],"nextCursor":null}"#),
      "/api/v1/products/H1": .json(#"{"version":7,"product":{"id":"H1"}}"#),
      "/images/\(name)": .picture(bytes), "/images/\(placeholderName)": .picture(placeholderBytes),
      "/images/\(placeholder)-1a-thumb.jpg": .picture(placeholderBytes),
    ])
  }

  subscript(_ target: String) -> Answer? {
    get { answers.ofTarget.withLock { $0[target] } }
    set { answers.ofTarget.withLock { $0[target] = newValue } }
  }

  func answer(_ request: borrowing ScriptedRequest) {
    switch self[request.target] {
    case .json(let text): request.answer(200, type: "application/json", Array(text.utf8))
    case .picture(let bytes, let cacheControl, let tag):
      let tag = tag ?? "\"\(Digest.of(bytes).hex.prefix(32))\""
      request.answer(200, fields: ["Cache-Control: \(cacheControl)", "ETag: \(tag)"], bytes)
    case .status(let status): request.answer(status, type: "text/plain", Array("no".utf8))
    case nil: request.answer(404, type: "text/plain", Array("none".utf8))
    }
  }
}
