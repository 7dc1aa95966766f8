import Testing

/// The files of `Public/`, and the pages among them, as browsers and other clients get them.
@Suite("Pages", .blocking)
struct PageTests {
  /// A shop beside a folder of these public files.
  private func withPages(
    _ files: [String: String], arguments: [String] = [], _ body: (RunningShop) throws -> Void
  ) throws {
    try Folder.withTemporary { folder in
      for (name, text) in files { try folder.write(text, to: "pages/\(name)") }
      try withShop(arguments: ["--public", folder["pages"]] + arguments, body)
    }
  }

  private static let few = [
    "index.html": "<!doctype html><title>앞</title>" + String(repeating: "<p>반찬", count: 200),
    "docs/index.html": "<!doctype html><title>문서</title>", "app/main.js": "export const one = 1;",
    "app/base.css": "p { color: red }", "icons/bowl.svg": "<svg/>", "한글.txt": "가", "data.json": "{}",
  ]

  // MARK: Files

  @Test(
    "A file is answered with its type",
    arguments: [
      ("/", "text/html; charset=utf-8"), ("/docs", "text/html; charset=utf-8"), ("/docs/", "text/html; charset=utf-8"),
      ("/app/main.js", "text/javascript; charset=utf-8"), ("/app/base.css", "text/css; charset=utf-8"),
      ("/icons/bowl.svg", "image/svg+xml"), ("/data.json", "application/json"),
      ("/%ED%95%9C%EA%B8%80.txt", "text/plain; charset=utf-8"),
    ])
  func types(_ target: String, _ type: String) throws {
    try withPages(Self.few) { shop in
      let reply = try shop.get(target)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply["Content-Type"] == type)
      #expect(reply["X-Content-Type-Options"] == "nosniff")
      #expect(reply["Cache-Control"] == "public, max-age=0, must-revalidate")
      #expect(reply["Last-Modified"] != nil)
    }
  }

  @Test("Whoever has a file gets a 304; parts, HEAD and gzip work as for any answer")
  func conditions() throws {
    try withPages(Self.few) { shop in
      let whole = try shop.get("/")
      let tag = try #require(whole["ETag"])
      #expect(whole.text == Self.few["index.html"])
      #expect(try shop.get("/", "If-None-Match: \(tag)").status == 304)
      let part = try shop.get("/", "Range: bytes=2-8", "If-Range: \(tag)")
      #expect(part.status == 206 && part.text == "doctype")
      #expect(try shop.get("/", "Range: bytes=999999-").status == 416)
      let head = try shop.ask("HEAD", "/")
      #expect(head.body.isEmpty && head["Content-Length"] == whole["Content-Length"] && head["ETag"] == tag)
      let small = try shop.get("/", "Accept-Encoding: gzip")
      #expect(small["Content-Encoding"] == "gzip" && small.body.count < whole.body.count)
      #expect(small["ETag"] != tag && small.list("Vary").contains("accept-encoding"))
      // What does not shrink is sent as it is.
      #expect(try shop.get("/data.json", "Accept-Encoding: gzip")["Content-Encoding"] == nil)
      expectProblem(try shop.ask("POST", "/"), 405, "method-not-allowed")
    }
  }

  @Test("A page may load from its own host alone, runs no text, and stands in nobody's frame")
  func policy() throws {
    try withPages(Self.few) { shop in
      for target in ["/", "/docs", "/app/main.js", "/icons/bowl.svg"] {
        let policy = try #require(try shop.get(target)["Content-Security-Policy"], "\(target)")
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("require-trusted-types-for 'script'"))
        #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("data:"))
      }
    }
  }

  @Test(
    "No path leads out of the folder, or to a file that was not there at the start",
    arguments: [
      "/../secret", "/..%2Fsecret", "/%2e%2e/secret", "/app/../../secret", "/app%2Fmain.js", "//app/main.js",
      "/app/main.js/", "/app", "/app/", "/.hidden", "/index.html", "/App/main.js", "/later.html",
    ])
  func outside(_ target: String) throws {
    try Folder.withTemporary { folder in
      for (name, text) in Self.few { try folder.write(text, to: "pages/\(name)") }
      try folder.write("hidden", to: "pages/.hidden")
      try folder.write("secret", to: "secret")
      try withShop(arguments: ["--public", folder["pages"]]) { shop in
        try folder.write("later", to: "pages/later.html")
        expectProblem(try shop.get(target), 404, "not-found")
      }
    }
  }

  @Test("Without pages there is an API, and it says that there are none")
  func off() throws {
    try withShop(arguments: ["--public", "off"]) { shop in
      expectProblem(try shop.get("/"), 404, "not-found")
      expectProblem(try shop.get("/products/HBDEF"), 404, "not-found")
      #expect(try shop.get("/api/v1/catalog").status == 200)
    }
  }

  @Test(
    "A folder that cannot be served is told in one sentence, and nothing starts",
    arguments: [
      ("livez/index.html", "pages/livez/index.html", "clashes with the route /livez"),
      ("categories", "pages/categories", "clashes with the route /categories"),
      ("{id}.html", "pages/{id}.html", "has a brace in its name"),
    ])
  func clash(_ file: String, _ path: String, _ sentence: String) throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      try folder.write("x", to: "pages/\(file)")
      let result = try BanchanProcess.run(
        ["serve", "--port", "0", "--origin-base", "http://127.0.0.1:1/", "--public", "pages"], in: folder.path)
      #expect(result.end == .exited(1))
      #expect(result.messages.contains(sentence), "\(result.messages)")
    }
  }

  @Test("A folder that is named and is not there is an error")
  func noFolder() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      let result = try BanchanProcess.run(
        ["serve", "--port", "0", "--origin-base", "http://127.0.0.1:1/", "--public", "nowhere"], in: folder.path)
      #expect(result.end == .exited(1) && result.messages.contains("nowhere cannot be read"), "\(result.messages)")
    }
  }

  // MARK: The storefront

  @Test("A product and a collection have the shop's page at their address, with a 404 when they do not exist")
  func storefront() throws {
    try withPages(Self.few) { shop in
      let front = try shop.get("/")
      for target in ["/products/HBDEF", "/products/HBDEF/", "/collections/17011200"] {
        let page = try shop.get(target)
        #expect(page.status == 200 && page.body == front.body && page["ETag"] == front["ETag"], "\(target)")
      }
      for target in ["/products/NONE", "/collections/0", "/products/%F0%9F%A5%98"] {
        let page = try shop.get(target)
        #expect(page.status == 404 && page.body == front.body && page["ETag"] == nil, "\(target)")
        #expect(page["Content-Type"] == "text/html; charset=utf-8")
      }
    }
  }

  @Test("A surface at the root leaves the pages where they are")
  func surfaceAtRoot() throws {
    try withPages(Self.few, arguments: ["--surface", "onban2022=/"]) { shop in
      let list = try shop.json("/main")
      #expect(try list["statusCode"].integer == 200)
      for target in ["/", "/docs", "/app/main.js"] {
        #expect(try shop.get(target)["Content-Type"] != "application/json")
      }
    }
  }
}

/// What `Public/` itself must hold, whoever changes it.
@Suite("The pages in Public")
struct PublicFolderTests {
  private static let folder = Folder(path: checkout() + "/Public")

  private func texts() throws -> [String: String] {
    try Self.folder.files(in: ".").filter { !$0.key.hasSuffix(".png") }
      .mapValues { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Every file that a page or module names is there")
  func references() throws {
    let files = try Self.folder.files(in: ".")
    for (name, text) in try texts() where name.hasSuffix(".html") || name.hasSuffix(".js") {
      for match in text.matches(of: /"(\/(?:app|docs|icons)\/[^"]*\.[a-z0-9]+|\/[a-z-]+\.(?:js|webmanifest))"/) {
        #expect(files[String(match.1.dropFirst())] != nil, "\(name) names \(match.1)")
      }
    }
  }

  @Test("The service worker keeps every file, so that no page misses one without the shop")
  func serviceWorker() throws {
    let worker = try #require(try texts()["service-worker.js"])
    let list = try #require(worker.firstMatch(of: /const files = \[([^\]]*)\]/)).1
    let kept = Set(list.matches(of: /"(\/[^"]*)"/).map { String($0.1) })
    let there = Set(
      try Self.folder.files(in: ".").keys.filter { $0 != "service-worker.js" }.map { name in
        name == "index.html" ? "/" : "/" + (name.hasSuffix("/index.html") ? String(name.dropLast(11)) : name)
      })
    #expect(kept == there)
  }

  @Test("Nothing comes from another host, and no data is read as HTML")
  func ownHost() throws {
    let known = ["http://www.w3.org/2000/svg", "https://spec.openapis.org", "https://json-schema.org"]
    for (name, text) in try texts() {
      for match in text.matches(of: /https?:\/\/[a-z][^\s"'`<>)]*/) where name != "openapi.json" {
        #expect(known.contains { match.0.hasPrefix($0) }, "\(name): \(match.0)")
      }
      for unsafe in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        #expect(!text.contains(unsafe), "\(name) has \(unsafe)")
      }
      guard name.hasSuffix(".html") else { continue }
      #expect(
        !text.contains(/\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\ssrc=)/), "\(name) has what its policy forbids")
    }
  }
}
