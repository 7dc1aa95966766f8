import Glibc
import Testing

@Suite("Pictures", .blocking)
struct PictureTests {
  @Test("A picture is fetched at the first request, and never again")
  func fetchedOnce() throws {
    try withShopAndOrigin { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      #expect(origin.count == 0)
      for _ in 0..<3 {
        let reply = try shop.get(path)
        #expect(reply.status == 200 && reply.body == Picture.jpeg("HBDEF"))
        #expect(reply["Content-Type"] == "image/jpeg")
      }
      #expect(origin.count("/images/HBDEF.jpg") == 1 && origin.count == 1)
    }
  }

  @Test("A page can read in Server-Timing what the cache did for its picture")
  func serverTiming() throws {
    try withShopAndOrigin { shop, _ in
      let path = try shop.picture(of: "HBDEF")
      for word in ["miss", "hit", "hit"] {
        #expect(try shop.get(path)["Server-Timing"]?.hasPrefix("cache;desc=\(word), total;dur=") == true)
      }
      #expect(try shop.get("/api/v1/catalog")["Server-Timing"]?.contains("cache") == false)
    }
  }

  @Test("A stored picture outlives a restart, and an origin that is gone")
  func outlives() throws {
    try withShopAndOrigin { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      let first = try shop.get(path)
      try shop.restart()
      let second = try shop.get(path)
      origin.stop()
      let third = try shop.get(path)
      try shop.restart()
      let fourth = try shop.get(path)
      for reply in [first, second, third, fourth] {
        #expect(reply.status == 200 && reply.body == Picture.jpeg("HBDEF"))
        #expect(reply["ETag"] == first["ETag"])
      }
      // What was never fetched cannot be had now, and nobody is told to remember that.
      let missing = try shop.get(shop.picture(of: "H72C3"))
      expectProblem(missing, 502, "origin-unreachable")
      #expect(missing["Cache-Control"] == "no-store")
      #expect(origin.count == 1)
    }
  }

  @Test("A cold picture is had after the origin came back")
  func comesBack() throws {
    try withShopAndOrigin { shop, origin in
      origin.stop()
      let path = try shop.picture(of: "HBDEF")
      #expect(try shop.get(path).status == 502)
      try origin.start()
      // The failure is kept for some seconds, and then the origin is asked again.
      let reply = try Patience.until {
        let reply = try shop.get(path)
        return reply.status == 200 ? reply : nil
      }
      #expect(reply?.body == Picture.jpeg("HBDEF"))
    }
  }

  @Test("Two hundred connections at once on a cold picture make one request to the origin")
  func coalesced() throws {
    try withShopAndOrigin { shop, origin in
      let body = Picture.jpeg("HBDEF", padding: 100_000)
      origin["/images/HBDEF.jpg"] = .picture(body)
      let path = try shop.picture(of: "HBDEF")
      origin.hold()
      let connections = try (0..<200).map { _ in try shop.connect() }
      for connection in connections { try connection.request("GET", path) }
      try origin.waitForRequest("/images/HBDEF.jpg")
      origin.release()
      for connection in connections {
        let reply = try connection.readReply()
        #expect(reply.status == 200 && reply.body == body)
      }
      #expect(origin.count("/images/HBDEF.jpg") == 1)
    }
  }

  @Test("A client that leaves does not take the picture from the others")
  func abandoned() throws {
    try withShopAndOrigin { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      origin.hold()
      let first = try shop.connect()
      try first.request("GET", path)
      try origin.waitForRequest("/images/HBDEF.jpg")
      let second = try shop.connect()
      try second.request("GET", path)
      first.close()
      origin.release()
      #expect(try second.readReply().body == Picture.jpeg("HBDEF"))
      #expect(origin.count("/images/HBDEF.jpg") == 1)
    }
  }

  @Test("The original and its sizes are immutable, each a sequence of bytes of its own")
  func cacheControl() throws {
    try withShopAndOrigin { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      // Until the shop has put down which bytes its first version stands for, nobody is told to keep them for ever.
      #expect(try ["no-cache", "public, max-age=31536000, immutable"].contains(shop.get(path)["Cache-Control"]))
      let original = try #require(
        try Patience.until {
          let reply = try shop.get(path)
          return reply["Cache-Control"] == "no-cache" ? nil : reply
        })
      #expect(original["Cache-Control"] == "public, max-age=31536000, immutable")
      #expect(original["X-Content-Type-Options"] == "nosniff")
      #expect(original["Cross-Origin-Resource-Policy"] == "cross-origin")
      #expect(original["Content-Security-Policy"]?.contains("sandbox") == true)
      #expect(original["Content-Length"] == "\(Picture.jpeg("HBDEF").count)")
      for size in ["thumb", "medium", "large"] {
        let reply = try shop.get(shop.picture(of: "HBDEF", size))
        #expect(reply.status == 200 && reply.body != original.body)
        #expect(reply["Content-Type"] == "image/jpeg")
        #expect(reply["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(reply["ETag"] != original["ETag"])
      }
      #expect(origin.count == 1)
    }
  }

  @Test("A picture's ETag is strong and stands for its bytes; whoever has them gets a 304")
  func conditional() throws {
    try withShopAndOrigin { shop, _ in
      let path = try shop.picture(of: "HBDEF")
      let reply = try shop.get(path)
      let tag = try #require(reply["ETag"])
      #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
      let unchanged = try shop.get(path, "If-None-Match: \"other\", \(tag)")
      #expect(unchanged.status == 304 && unchanged["ETag"] == tag && unchanged.body.isEmpty)
      #expect(unchanged["Cache-Control"] == reply["Cache-Control"])
      let other = try shop.get(path, "If-None-Match: \"other\"")
      #expect(other.status == 200 && other.body == reply.body)
      let head = try shop.ask("HEAD", path)
      #expect(head.status == 200 && head["Content-Length"] == reply["Content-Length"] && head["ETag"] == tag)
      // Two pictures with different bytes have different tags.
      #expect(try shop.get(shop.picture(of: "H72C3"))["ETag"] != tag)
    }
  }

  @Test("A HEAD on a cold picture fetches it, and says its length")
  func headOnCold() throws {
    try withShopAndOrigin { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      let head = try shop.ask("HEAD", path)
      #expect(head.status == 200 && head["Content-Length"] == "\(Picture.jpeg("HBDEF").count)")
      #expect(try shop.get(path).body == Picture.jpeg("HBDEF"))
      #expect(origin.count == 1)
    }
  }

  @Test("The type comes from the bytes, whatever the origin calls them")
  func sniffed() throws {
    try withShopAndOrigin { shop, origin in
      origin["/images/HBDEF.jpg"] = .picture(Picture.png, type: "image/jpeg")
      origin["/images/H72C3.jpg"] = .picture(Picture.webp, type: "text/plain")
      origin["/images/HBBCC.jpg"] = .picture(Picture.jpeg("HBBCC"), type: "application/octet-stream")
      for (product, type, body) in [
        ("HBDEF", "image/png", Picture.png), ("H72C3", "image/webp", Picture.webp),
        ("HBBCC", "image/jpeg", Picture.jpeg("HBBCC")),
      ] {
        let reply = try shop.get(shop.picture(of: product))
        #expect(reply.status == 200 && reply["Content-Type"] == type && reply.body == body)
      }
    }
  }

  struct Failing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answer: ScriptedOrigin.Answer
    var status: Int
    var code: String
    var cacheControl: String
  }

  @Test(
    "What the origin cannot give is a problem, never a picture and never a 200",
    arguments: [
      Failing(
        testDescription: "404", answer: .status(404), status: 404, code: "picture-not-found",
        cacheControl: "public, max-age=60"),
      Failing(
        testDescription: "410", answer: .status(410), status: 410, code: "picture-gone",
        cacheControl: "public, max-age=60"),
      Failing(
        testDescription: "403", answer: .status(403), status: 502, code: "origin-error", cacheControl: "no-store"),
      Failing(
        testDescription: "500", answer: .status(500), status: 502, code: "origin-error", cacheControl: "no-store"),
      Failing(
        testDescription: "no picture", answer: .picture(Array("<!doctype html><p>Sorry</p>".utf8)), status: 502,
        code: "origin-error", cacheControl: "no-store"),
      Failing(
        testDescription: "nothing", answer: .picture([]), status: 502, code: "origin-error", cacheControl: "no-store"),
      Failing(
        testDescription: "an early end",
        answer: .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n".utf8) + Picture.jpeg("short")),
        status: 502, code: "origin-error", cacheControl: "no-store"),
      Failing(
        testDescription: "a bad chunk",
        answer: .raw(
          Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9f\r\n".utf8) + Picture.jpeg("")
            + Array("\r\n+1\r\n".utf8)),
        status: 502, code: "origin-error", cacheControl: "no-store"),
      Failing(
        testDescription: "no HTTP at all", answer: .raw(Array("SSH-2.0-OpenSSH\r\n\r\n".utf8)), status: 502,
        code: "origin-error", cacheControl: "no-store"),
      Failing(
        testDescription: "silence", answer: .silence, status: 504, code: "origin-timeout", cacheControl: "no-store"),
    ])
  func failing(_ case: Failing) throws {
    try withShopAndOrigin { shop, origin in
      origin["/images/HBDEF.jpg"] = `case`.answer
      let path = try shop.picture(of: "HBDEF")
      let reply = try shop.get(path)
      expectProblem(reply, `case`.status, `case`.code)
      #expect(reply["Cache-Control"] == `case`.cacheControl)
      // The failure is remembered for a while: the origin is spared.
      let again = try shop.get(path)
      #expect(again.status == `case`.status && origin.count("/images/HBDEF.jpg") == 1)
      // And other pictures of that origin are not touched by it.
      #expect(try shop.get(shop.picture(of: "H72C3")).status == 200)
    }
  }

  @Test("What is not a picture leaves nothing in the cache")
  func notStored() throws {
    try withShopAndOrigin { shop, origin in
      let page = Array("<!doctype html><p>a page that must not be kept</p>".utf8)
      origin["/images/HBDEF.jpg"] = .picture(page)
      origin["/images/H72C3.jpg"] = .raw(
        Array("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n".utf8) + Picture.jpeg("cut short"))
      #expect(try shop.get(shop.picture(of: "HBDEF")).status == 502)
      #expect(try shop.get(shop.picture(of: "H72C3")).status == 502)
      for (name, bytes) in try shop.folder.files(in: "cache") {
        #expect(!bytes.contains(page) && !bytes.contains(Array("cut short".utf8)), "\(name)")
      }
    }
  }

  @Test("A chunked picture and a redirected one arrive as any other")
  func otherForms() throws {
    try withShopAndOrigin { shop, origin in
      let body = Picture.jpeg("chunks")
      let half = body.count / 2
      origin["/images/HBDEF.jpg"] = .raw(
        Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
          + Array("\(String(half, radix: 16))\r\n".utf8) + body[..<half]
          + Array("\r\n\(String(body.count - half, radix: 16, uppercase: true));x=y\r\n".utf8) + body[half...]
          + Array("\r\n0\r\nX-Trailer: ignored\r\n\r\n".utf8))
      origin["/images/H72C3.jpg"] = .status(302, fields: ["Location: /moved%20here.jpg"])
      origin["/moved%20here.jpg"] = .picture(Picture.jpeg("moved"))
      let (chunked, moved) = try (shop.get(shop.picture(of: "HBDEF")), shop.get(shop.picture(of: "H72C3")))
      #expect(chunked.status == 200 && chunked.body == body)
      #expect(moved.status == 200 && moved.body == Picture.jpeg("moved"))
    }
  }

  @Test("A redirect to an address that nobody allowed is not followed")
  func redirectInwards() throws {
    try withShopAndOrigin { shop, origin in
      let inner = try ScriptedOrigin()
      defer { inner.stop() }
      inner["/secret.jpg"] = .picture(Picture.jpeg("secret"))
      origin["/images/HBDEF.jpg"] = .status(302, fields: ["Location: \(inner.base)secret.jpg"])
      let reply = try shop.get(shop.picture(of: "HBDEF"))
      #expect(reply.status == 502 && inner.count == 0)
    }
  }

  @Test("An absolute reference into this machine is refused, unless the operator allows that origin")
  func addressRules() throws {
    let inner = try ScriptedOrigin()
    defer { inner.stop() }
    inner["/a/b.jpg"] = .picture(Picture.jpeg("inner"))
    let shop = SampleShop().setting("image", of: SampleShop.Place.discounted, to: quoted("\(inner.base)a/b.jpg"))
    try withShopAndOrigin(shop) { shop, _ in
      let reply = try shop.get(shop.picture(of: "HBDEF"))
      #expect(reply.status == 502 && inner.count == 0)
    }
    try withShopAndOrigin(shop, arguments: ["--origin-allow", "http://127.0.0.1:\(inner.port)"]) { shop, _ in
      let reply = try shop.get(shop.picture(of: "HBDEF"))
      #expect(reply.status == 200 && reply.body == Picture.jpeg("inner"))
    }
  }

  @Test("The origin sees who asks, and nothing of the client")
  func request() throws {
    try withShopAndOrigin { shop, origin in
      let reply = try shop.get(
        shop.picture(of: "HBDEF"), "Cookie: a=b", "Authorization: Bearer x", "Referer: http://shop.test/",
        "User-Agent: Phone/1.0")
      #expect(reply.status == 200)
      let head = try #require(origin.requests("/images/HBDEF.jpg").first).lowercased()
      #expect(head.hasPrefix("get /images/hbdef.jpg http/1.1\r\n"))
      #expect(head.contains("\r\nhost: 127.0.0.1:\(origin.port)"))
      #expect(head.contains("\r\nuser-agent: banchan") && head.contains("\r\naccept: image/*"))
      for secret in ["cookie", "authorization", "referer", "phone"] { #expect(!head.contains(secret)) }
    }
  }

  @Test(
    "A name that the shop never gave is a 404, and the origin hears nothing of it",
    arguments: [
      "/images/000000000000-1a-thumb.jpg", "/images/", "/images/HBDEF.jpg", "/images/{id}-1a-huge.jpg",
      "/images/{id}-1a-thumb.exe", "/images/{id}-0a-thumb.jpg", "/images/{id}-+1a-thumb.jpg", "/images/{id}-thumb.jpg",
      "/images/{id}-99999999999999999999999a-thumb.jpg", "/images/../images/{id}",
      "/images/{ID}-1a-thumb.jpg", "/images/{id}-1a-THUMB.jpg", "/images/{id}-01a-thumb.jpg",
    ])
  func unknownName(_ pattern: String) throws {
    try withShopAndOrigin { shop, origin in
      let known = try shop.picture(of: "HBDEF").split(separator: "/")[1]
      let id = String(known.prefix { $0 != "-" })
      let target = pattern.replacing("{id}", with: id).replacing("{ID}", with: id.uppercased())
      let reply = try shop.get(target)
      #expect(reply.status == 404 && reply["Content-Type"] == "application/problem+json", "\(target)")
      #expect(origin.count == 0, "\(target)")
    }
  }

  @Test("Lists show the placeholder for a picture that has failed for good, under the placeholder's own name")
  func placeholder() throws {
    try withShopAndOrigin { shop, origin in
      origin["/images/HBDEF.jpg"] = .status(404)
      let shown = { try shop.json("/onban/main")["body"].items[0]["image"].text }
      let before = try shown()
      #expect(try shop.get(shop.path(of: before)).status == 404)
      // Such news is gathered, and published a little later.
      let after = try Patience.until {
        let now = try shown()
        return now == before ? nil : now
      }
      let path = try shop.path(of: #require(after))
      #expect(try shop.get(path).status == 200)
      #expect(try shop.get(path.replacing("-thumb.", with: "-original.")).body == Picture.jpeg("placeholder"))
    }
  }

  @Test("Without an origin of its own, the shop starts one on its seed, which ends with it: in peace or not")
  func ownOrigin() throws {
    for signal in [SIGTERM, SIGKILL] {
      try withShop(pictures: .seedFolder, seedPictures: ["images/HBDEF.jpg": Picture.jpeg("seed")]) { shop in
        let line = try shop.process.waitForLine(containing: "pictures come from http://127.0.0.1:")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) })
        let reply = try shop.get(shop.picture(of: "HBDEF"))
        #expect(reply.status == 200 && reply.body == Picture.jpeg("seed"))
        shop.process.send(signal)
        let end = try shop.process.waitForEnd()
        #expect(end == (signal == SIGTERM ? .exited(0) : .signalled(SIGKILL)))
        let isGone = Patience.until { (try? RawConnection(port: port)) == nil ? true : nil }
        #expect(isGone == true, "the origin lives on after signal \(signal)")
      }
    }
  }

  @Test("`banchan origin` serves a folder, logs a line per request, and nothing outside of it")
  func originCommand() throws {
    try Folder.withTemporary { folder in
      try folder.write(Picture.jpeg("a"), to: "pictures/images/a b.jpg")
      try folder.write("secret", to: "secret.txt")
      let process = try BanchanProcess(["origin", "--dir", "pictures", "--log", "text"], in: folder.path)
      defer { process.endForCertain() }
      let port = try RunningShop.waitForPort(process)
      let connection = try RawConnection(port: port)
      try connection.request("GET", "/images/a%20b.jpg")
      #expect(try connection.readReply().body == Picture.jpeg("a"))
      _ = try process.waitForLine(containing: "GET /images/a%20b.jpg 200")
      for target in ["/../secret.txt", "/%2e%2e/secret.txt", "/images/..%2f..%2fsecret.txt", "//secret.txt", "/images"]
      {
        let connection = try RawConnection(port: port)
        try connection.request("GET", target)
        let reply = try connection.readReply()
        #expect((400..<500).contains(reply.status) && !reply.text.contains("secret\n"), "\(target)")
      }
      process.send(SIGTERM)
      #expect(try process.waitForEnd() == .exited(0))
    }
  }
}
