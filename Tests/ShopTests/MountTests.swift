import HTTP
import Testing

@testable import Shop

@Suite("Bases and mounts")
struct MountTests {
  @Test(
    "A public URL is scheme and host, and nothing else",
    arguments: [
      ("https://banchan.example", "https://banchan.example"), ("http://10.0.0.1:8080/", "http://10.0.0.1:8080"),
      ("https://[::1]:8443", "https://[::1]:8443"), ("ftp://a", nil), ("https://", nil), ("https:///", nil),
      ("https://a/b", nil), ("https://a//", nil), ("https://a?x", nil), ("https://u@a", nil), ("https://:80", nil),
      ("https://a\"b", nil), ("banchan.example", nil), ("", nil),
    ] as [(String, String?)])
  func publicURL(text: String, base: String?) {
    #expect(PublicBase(url: text).map { String(decoding: $0.bytes, as: UTF8.self) } == base)
  }

  @Test("A request's host becomes the base, and can never break out of a string")
  func requestBase() {
    #expect(PublicBase(isEncrypted: true, authority: Array("a:1".utf8)).bytes == Array("https://a:1".utf8))
    #expect(PublicBase(isEncrypted: false, authority: Array("a\"\\\u{0}<b".utf8)).bytes == Array("http://ab".utf8))
  }

  private func patterns(_ texts: [String]) throws -> [String] {
    try SurfaceMount.mounts(overriding: texts).flatMap { $0.paths.map(\.pattern) }
  }

  @Test("Every surface is mounted where its clients look for it")
  func defaults() throws {
    let patterns = Set(try patterns([]))
    for pattern in [
      "/woowa/{section}", "/woowa/detail/{hash}", "/jk/storeapp/main.json", "/jk/storeapp/soup.json",
      "/jk/storeapp/side.json", "/develop/baminchan/{section}", "/develop/baminchan/best", "/onban/{section}",
      "/onban/{section}/{hash}", "/onban/detail", "/onban/detail/{hash}", "/onban/best", "/categories",
      "/categories/{path}", "/banchan/{id}",
    ] {
      #expect(patterns.contains(pattern))
    }
  }

  @Test("A surface moves, goes to the root, or goes away; files at the root stay where they are")
  func moving() throws {
    #expect(try patterns(["onban2022=/old/shop/"]).contains("/old/shop/{section}"))
    #expect(try patterns(["onban2022=/"]).contains("/{section}"))
    #expect(try !patterns(["onban2022=off"]).contains { $0.hasPrefix("/onban") })
    #expect(try !patterns(["woowa2018=off"]).contains { $0.hasPrefix("/jk") })
    #expect(try patterns(["woowa2018=/w"]).contains("/jk/storeapp/main.json"))
    #expect(try patterns(["onban2022=off", "onban2022=/o"]).contains("/o/{section}"))
  }

  @Test(
    "What is no mount is refused with a sentence",
    arguments: [
      ("onban2022", .malformed("onban2022")), ("", .malformed("")),
      ("onban=/x", .unknownSurface("onban", known: CompatibleSurface.all.map(\.name))),
      ("onban2022=", .badPrefix("")), ("onban2022=x", .badPrefix("x")), ("onban2022=/a//b", .badPrefix("/a//b")),
      ("onban2022=//", .badPrefix("//")), ("onban2022=/{x}", .badPrefix("/{x}")), ("onban2022=/..", .badPrefix("/..")),
      ("onban2022=/반찬", .badPrefix("/반찬")),
    ] as [(String, SurfaceMountError)])
  func refusals(text: String, error: SurfaceMountError) {
    #expect(throws: error) { try SurfaceMount.mounts(overriding: [text]) }
    #expect(error.description.hasSuffix("."))
  }

  @Test("The routes of all surfaces stand beside each other")
  func noClash() throws {
    let routes = try patterns([]).map { pattern in
      Route(.get, pattern) { (_) throws(Problem) in throw Problem(.notFound) }
    }
    _ = try Router(routes)
    #expect(throws: RouteClash.self) {
      try Router(
        patterns(["woowa2018=/onban"]).map { Route(.get, $0) { (_) throws(Problem) in throw Problem(.notFound) } })
    }
  }

  @Test(
    "A route for all that is below a path takes it as it came, other methods are refused, and its own place is not below it"
  )
  func rest() throws {
    let router = try Router([
      Route(.get, "/data/{path...}") { (_) throws(Problem) in Response(.ok) },
      Route(.get, "/data") { (_) throws(Problem) in Response(.noContent) },
    ])
    func match(_ method: String, _ path: String) -> String {
      do throws(Problem) {
        return try router.match(RequestHead(parsingTarget: path, method: method)).route.pattern
      } catch {
        return error.code.rawValue
      }
    }
    for path in ["/data/a", "/data/a/b", "/data//a", "/data/%2e%2e/a", "/data/a/"] {
      #expect(match("GET", path) == "/data/{path...}" && match("HEAD", path) == "/data/{path...}", "\(path)")
    }
    #expect(match("POST", "/data/a") == "method-not-allowed")
    #expect(match("GET", "/data") == "/data" && match("GET", "/datax/a") == "not-found")
    #expect(throws: RouteClash.self) {
      try Router((0..<2).map { _ in Route(.get, "/x/{path...}") { (_) throws(Problem) in Response(.ok) } })
    }
  }
}

extension RequestHead {
  /// The head of a request with no fields but Host.
  fileprivate init(parsingTarget target: String, method: String) throws(Problem) {
    let text = "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
    guard let head = try? RequestHead(parsing: Array(text.utf8)) else { throw Problem(.invalidRequest) }
    self = head
  }
}
