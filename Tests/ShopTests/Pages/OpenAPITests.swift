import Catalog
import FoundationEssentials
import HTTP
import Images
import JSON
import Net
import OriginScripts
import Testing

@testable import Shop

/// `Public/openapi.json` beside what the server really answers. What to do when one of these fails stands at the top of
/// that file, under `x-how-to`.
@Suite("The document of the API")
struct OpenAPITests {
  private static func file() throws -> String {
    // This file is at Tests/ShopTests/Pages in the checkout.
    let checkout = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let contents = try #require(FileManager.default.contents(atPath: "\(checkout)/Public/openapi.json"))
    return String(decoding: contents, as: UTF8.self)
  }

  /// The routes that a document tells of, as a router would list them.
  private static func operations(_ text: String) throws -> Set<String> {
    guard case .object(let document) = try JSONValue(parsing: Array(text.utf8)),
      case .object(let paths)? = document["paths"]
    else { throw Missing() }
    return Set(
      paths.flatMap { path, item in
        guard case .object(let operations) = item else { return [String]() }
        return operations.map { "\($0.key.uppercased()) \(path)" }
      })
  }

  private struct Missing: Error {}

  private static func documented(surfaces: [String] = []) async throws -> Set<String> {
    try await onLoop { loop in
      try withTemporaryFolder { folder in
        let configuration = ShopService.Configuration(
          library: PictureLibrary.Configuration(cache: "\(folder)/cache"), publicURL: nil,
          surfaces: try SurfaceMount.mounts(overriding: surfaces), address: SocketAddress(.loopback, port: 80))
        let store = try CatalogStore(in: DataFolder("\(folder)/data"))
        let service = try ShopService(configuration, store: store, loop: loop) { _ in }
        return Set(service.documented)
      }
    }
  }

  @Test("Every route is documented, and every documented route is served")
  func bothWays() async throws {
    // The document itself is served out of the public folder.
    let served = try await Self.documented().union(["GET /openapi.json"])
    let told = try Self.operations(Self.file())
    #expect(served.subtracting(told) == [], "served, and missing in Public/openapi.json")
    #expect(told.subtracting(served) == [], "in Public/openapi.json, and not served")
  }

  @Test("With all surfaces in their places the document is the file, to the byte")
  func unmoved() throws {
    let file = try Self.file()
    #expect(OpenAPIDocument(file, mounts: try SurfaceMount.mounts(overriding: [])).text == file)
  }

  @Test(
    "A surface that is moved or left out is documented where it is",
    arguments: [["onban2022=/other/place"], ["onban2022=off", "team2020=off"], ["woowa2018=/", "team2020=/team"]])
  func moved(surfaces: [String]) async throws {
    let served = try await Self.documented(surfaces: surfaces).union(["GET /openapi.json"])
    let document = OpenAPIDocument(try Self.file(), mounts: try SurfaceMount.mounts(overriding: surfaces))
    #expect(try Self.operations(document.text) == served)
  }

  @Test("Every problem is told of with its status and texts, in the order of the codes")
  func problems() throws {
    guard case .object(let document) = try JSONValue(parsing: Array(Self.file().utf8)) else { throw Missing() }
    let expected = ProblemCode.allCases.map { code in
      JSONValue.object([
        "code": .string(code.rawValue), "status": .integer(Int64(code.status.code)), "title": .string(code.title),
        "detail": .string(code.detail.english), "x-ko": .object(["detail": .string(code.detail.korean)]),
      ])
    }
    #expect(document["x-problems"] == .array(expected))
    guard case .object(let components)? = document["components"], case .object(let schemas)? = components["schemas"],
      case .object(let schema)? = schemas["ProblemCode"]
    else { throw Missing() }
    #expect(schema["enum"] == .array(ProblemCode.allCases.map { .string($0.rawValue) }))
  }

  @Test("A document that is laid out in another way is served as it is")
  func otherLayout() throws {
    let text = #"{"paths":{"/onban/best":{}}}"#
    #expect(OpenAPIDocument(text, mounts: []).text == text)
  }
}
