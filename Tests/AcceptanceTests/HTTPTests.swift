import Testing

@Suite("HTTP", .blocking)
struct HTTPTests {
  // MARK: Conditional requests

  @Test(
    "An answer has a strong ETag, and whoever has it gets a 304 with the same fields",
    arguments: ["/api/v1/catalog", "/api/v1/sections", "/api/v1/products/HBDEF", "/onban/main", "/onban/detail/HBDEF"])
  func conditional(_ target: String) throws {
    try withShop { shop in
      let reply = try shop.get(target)
      #expect(reply.status == 200 && reply["Content-Type"] == "application/json")
      #expect(reply["Content-Length"] == "\(reply.body.count)")
      let tag = try #require(reply["ETag"])
      #expect(tag.wholeMatch(of: /"[\x21\x23-\x7e]+"/) != nil, "\(tag)")
      #expect(reply["Cache-Control"] == "public, max-age=0, must-revalidate")
      #expect(try #require(reply["Last-Modified"]).wholeMatch(of: Self.date) != nil)
      #expect(!reply.list("Vary").isEmpty)
      for value in [tag, "W/\(tag)", "*", "\"x\", \(tag)", "\"a,b\" , \(tag)"] {
        let unchanged = try shop.get(target, "If-None-Match: \(value)")
        #expect(unchanged.status == 304 && unchanged.body.isEmpty, "\(value)")
        for field in ["ETag", "Cache-Control", "Vary", "Last-Modified"] {
          #expect(unchanged[field] == reply[field], "\(field)")
        }
        #expect(unchanged["Date"] != nil)
      }
      for value in ["\"x\"", String(tag.dropLast())] {
        #expect(try shop.get(target, "If-None-Match: \(value)").status == 200, "\(value)")
      }
    }
  }

  @Test("If-Modified-Since counts when there is no If-None-Match")
  func modifiedSince() throws {
    try withShop { shop in
      let modified = try #require(try shop.get("/api/v1/catalog")["Last-Modified"])
      #expect(try shop.get("/api/v1/catalog", "If-Modified-Since: \(modified)").status == 304)
      let old = "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"
      #expect(try shop.get("/api/v1/catalog", old).status == 200)
      #expect(try shop.get("/api/v1/catalog", "If-Modified-Since: yesterday").status == 200)
      let both = try shop.get("/api/v1/catalog", "If-None-Match: \"x\"", "If-Modified-Since: \(modified)")
      #expect(both.status == 200)
    }
  }

  @Test(
    "HEAD has what GET has, but for the body",
    arguments: ["/api/v1/catalog", "/onban/main", "/onban/main/", "/nowhere", "/livez", "/api/v1/catalog?x"])
  func head(_ target: String) throws {
    try withShop { shop in
      let get = try shop.get(target)
      let connection = try shop.connect()
      try connection.request("HEAD", target, ["Connection: close"])
      let head = try connection.readReply(to: "HEAD")
      #expect(head.status == get.status)
      for field in ["Content-Length", "Content-Type", "ETag", "Cache-Control", "Vary"] {
        #expect(head[field] == get[field], "\(field)")
      }
      #expect(try connection.isEndedByServer())
    }
  }

  @Test("Every answer is dated")
  func date() throws {
    try withShop { shop in
      for target in ["/api/v1/catalog", "/nowhere"] {
        let reply = try shop.get(target)
        #expect(try #require(reply["Date"]).wholeMatch(of: Self.date) != nil)
      }
    }
  }

  private static var date: Regex<Substring> { /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/ }

  // MARK: CORS

  @Test("Another origin may read every answer: errors, 304 and pictures included")
  func cors() throws {
    try withShopAndOrigin { shop, _ in
      let origin = "Origin: http://localhost:3000"
      let tag = try #require(try shop.get("/onban/main")["ETag"])
      let replies = try [
        shop.get("/onban/main", origin), shop.get("/api/v1/catalog", origin), shop.get("/nowhere", origin),
        shop.get("/onban/main", origin, "If-None-Match: \(tag)"), shop.ask("DELETE", "/onban/main", origin),
        shop.get("/api/v1/catalog?x=1", origin), shop.get(shop.picture(of: "HBDEF"), origin),
        shop.get("/images/none", origin), shop.ask("HEAD", "/onban/main", origin), shop.ask("BREW", "/", origin),
        malformed(shop, "GET /onban/main HTTP/1.1\r\n\(origin)\r\nHost: a\r\nHost: b\r\n\r\n"),
      ]
      #expect(replies.map(\.status) == [200, 200, 404, 304, 405, 400, 200, 404, 200, 501, 400])
      for (index, reply) in replies.enumerated() {
        #expect(reply["Access-Control-Allow-Credentials"] == nil, "answer \(index)")
        // Of a head that could not be parsed, the server does not know who asked; anybody may read that answer.
        if index > 8, reply["Access-Control-Allow-Origin"] == "*" { continue }
        #expect(reply["Access-Control-Allow-Origin"] == "http://localhost:3000", "answer \(index)")
        #expect(reply.list("Vary").contains("origin"), "answer \(index)")
        #expect(
          reply.list("Access-Control-Expose-Headers").isSuperset(of: ["etag", "link", "location", "retry-after"]),
          "answer \(index)")
      }
    }
  }

  private func malformed(_ shop: RunningShop, _ request: String) throws -> Reply {
    let connection = try shop.connect()
    try connection.send(request)
    return try connection.readReply()
  }

  @Test(
    "A preflight is answered anywhere, before anything else is looked at",
    arguments: ["/onban/main", "/onban/main/", "/nowhere", "/api/v1/catalog?unknown=1", "/images/none.jpg", "*", "/"])
  func preflight(_ target: String) throws {
    try withShop { shop in
      let reply = try shop.ask(
        "OPTIONS", target, "Origin: https://app.example", "Access-Control-Request-Method: PATCH",
        "Access-Control-Request-Headers: content-type, x-custom")
      #expect(reply.status == 204 && reply.body.isEmpty)
      #expect(reply["Content-Length"] == nil && reply["Transfer-Encoding"] == nil)
      #expect(reply["Access-Control-Allow-Origin"] == "https://app.example")
      let methods: Set = ["get", "head", "post", "put", "patch", "delete", "options"]
      #expect(reply.list("Access-Control-Allow-Methods") == methods)
      #expect(reply.list("Access-Control-Allow-Headers") == ["content-type", "x-custom"])
      #expect(reply["Access-Control-Max-Age"].flatMap { Int($0) } ?? 0 > 0)
      #expect(reply.list("Vary").contains("origin"))
    }
  }

  @Test("An OPTIONS that is no preflight says what is allowed, and nothing about other origins' scripts")
  func plainOptions() throws {
    try withShop { shop in
      let reply = try shop.ask("OPTIONS", "/onban/main", "Access-Control-Request-Headers: content-type")
      #expect(reply.status == 204 && reply.list("Allow").contains("get"))
      #expect(reply["Access-Control-Allow-Methods"] == nil && reply["Access-Control-Allow-Headers"] == nil)
      #expect(reply["Access-Control-Max-Age"] == nil)
    }
  }

  // MARK: Methods and targets

  @Test(
    "A method that a resource does not have is a 405 that names those it has",
    arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func methodNotAllowed(_ method: String) throws {
    try withShop { shop in
      for target in ["/onban/main", "/onban/main/", "/onban/detail/HBDEF", "/livez"] {
        let reply = try shop.ask(method, target)
        expectProblem(reply, 405, "method-not-allowed")
        #expect(reply.list("Allow") == ["get", "head", "options"], "\(target)")
      }
      // What is not there at all stays a 404.
      expectProblem(try shop.ask(method, "/nowhere"), 404, "not-found")
    }
  }

  @Test("A target in absolute form names the same resource")
  func absoluteForm() throws {
    try withShop { shop in
      let plain = try shop.get("/onban/main")
      let absolute = try shop.get("http://shop.test/onban/main")
      #expect(absolute.status == 200 && absolute.body == plain.body)
    }
  }

  @Test("An escape that means the same character leads to the same place, and an escaped slash does not")
  func escapes() throws {
    try withShop { shop in
      let plain = try shop.get("/onban/main")
      #expect(try shop.get("/onban/%6Dain").body == plain.body)
      #expect(try shop.get("/onban%2Fmain").status == 404)
      #expect(try shop.get("/onban/./main").status == 404)
    }
  }

  // MARK: Malformed requests

  @Test(
    "A malformed request is a 400, and the end of the connection",
    arguments: [
      "GET /onban/main\r\n\r\n", "GET  /onban/main HTTP/1.1\r\nHost: a\r\n\r\n", "GET /onban/main HTTP/1.1\r\n\r\n",
      "GET /onban/main HTTP/1.1 \r\nHost: a\r\n\r\n", "GET /onban/main http/1.1\r\nHost: a\r\n\r\n",
      "GET /onban/main HTTP/1.1\nHost: a\n\n", "GET /onban/main HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /onban/main HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "GET /onban/main HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n",
      "GET /onban/main HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n", "GET /onban/main HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
      "GET /onban/main HTTP/1.1\r\nHost: a b\r\n\r\n", "GET /onban/main HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n",
      "GET /onban/%zz HTTP/1.1\r\nHost: a\r\n\r\n", "GET /onban/%00 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /onban/%ff HTTP/1.1\r\nHost: a\r\n\r\n", "GET onban/main HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /onban/main#x HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /onban/main HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello",
      "GET /onban/main HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
      "GET /onban/main HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "GET /onban/main HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "G\u{0}T / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\r\n\r\n",
    ])
  func malformed(_ request: String) throws {
    try withShop { shop in
      let connection = try shop.connect()
      // What follows must not be taken for a second request.
      try connection.send(request + "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
      let reply = try connection.readReply()
      expectProblem(reply, 400, "invalid-request")
      #expect(reply.list("Connection") == ["close"])
      #expect(try connection.isEndedByServer())
    }
  }

  @Test("What is too long, too new or unknown has a status of its own")
  func refused() throws {
    try withShop { shop in
      let long = String(repeating: "a", count: 9000)
      let many = (0..<101).map { "X-\($0): y\r\n" }.joined()
      for (request, status, code) in [
        ("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "uri-too-long"),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\(long)\r\n\r\n", 431, "headers-too-large"),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(many)\r\n", 431, "headers-too-large"),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "version-not-supported"),
        ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "not-implemented"),
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n", 417, "expectation-failed"),
      ] {
        let connection = try shop.connect()
        try connection.send(request)
        expectProblem(try connection.readReply(), status, code)
        #expect(try shop.get("/livez").status == 200)
      }
    }
  }

  @Test("Bytes that become a known word only in Unicode are not that word")
  func kelvin() throws {
    try withShop { shop in
      let connection = try shop.connect()
      // A Kelvin sign, whose lower case is k.
      try connection.request("GET", "/livez", ["Transfer-Encoding: chun\u{212A}ed"])
      try connection.send("0\r\n\r\n")
      let reply = try connection.readReply()
      #expect([400, 501].contains(reply.status) && reply.list("Connection") == ["close"])
      #expect(try connection.isEndedByServer())
    }
  }

  // MARK: Connections

  @Test("A connection of HTTP/1.1 goes on until one side says close")
  func keepAlive() throws {
    try withShop { shop in
      let connection = try shop.connect()
      for target in ["/onban/main", "/nowhere", "/api/v1/catalog?x", "/onban/soup"] {
        try connection.request("GET", target)
        #expect(try connection.readReply().list("Connection").isEmpty)
      }
      try connection.request("GET", "/onban/main", ["Connection: x, Close"])
      let last = try connection.readReply()
      #expect(last.status == 200 && last.list("Connection") == ["close"])
      #expect(try connection.isEndedByServer())
    }
  }

  @Test("A connection of HTTP/1.0 ends after its answer, unless it was asked to stay")
  func version10() throws {
    try withShop { shop in
      let connection = try shop.connect()
      try connection.send("GET /onban/main HTTP/1.0\r\n\r\n")
      let reply = try connection.readReply()
      #expect(reply.status == 200 && reply["Transfer-Encoding"] == nil)
      #expect(try connection.isEndedByServer())
      let staying = try shop.connect()
      for _ in 0..<2 {
        try staying.send("GET /onban/main HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n")
        let reply = try staying.readReply()
        #expect(reply.status == 200 && reply.list("Connection") == ["keep-alive"])
      }
    }
  }

  @Test("Requests sent at once are answered in their order")
  func pipelining() throws {
    try withShop { shop in
      let (main, soup) = try (shop.get("/onban/main").body, shop.get("/onban/soup").body)
      let connection = try shop.connect()
      let request = { (method: String, target: String) in "\(method) \(target) HTTP/1.1\r\nHost: shop.test\r\n\r\n" }
      try connection.send(
        request("GET", "/onban/main") + request("HEAD", "/onban/soup") + request("GET", "/nowhere")
          + request("OPTIONS", "/onban/main") + request("GET", "/onban/soup"))
      #expect(try connection.readReply().body == main)
      #expect(try connection.readReply(to: "HEAD")["Content-Length"] == "\(soup.count)")
      #expect(try connection.readReply().status == 404)
      #expect(try connection.readReply().status == 204)
      #expect(try connection.readReply().body == soup)
      // Many more than fit into one read.
      let many = 500
      try connection.send(String(repeating: request("GET", "/onban/soup"), count: many))
      for _ in 0..<many {
        guard try connection.readReply().body == soup else {
          Issue.record("An answer differs from the others")
          break
        }
      }
    }
  }

  @Test("Answers keep their order behind a picture that is still on its way")
  func pipelinedPicture() throws {
    try withShopAndOrigin { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      origin.hold()
      let connection = try shop.connect()
      try connection.request("GET", path)
      try connection.request("GET", "/onban/main")
      try origin.waitForRequest("/images/HBDEF.jpg")
      // Others do not wait.
      #expect(try shop.get("/onban/main").status == 200)
      origin.release()
      #expect(try connection.readReply().body == Picture.jpeg("HBDEF"))
      #expect(try connection.readReply()["Content-Type"] == "application/json")
    }
  }

  @Test("A client that has finished sending still gets its answers")
  func halfClosed() throws {
    try withShopAndOrigin { shop, origin in
      let connection = try shop.connect()
      try connection.request("GET", "/onban/main")
      try connection.request("GET", "/onban/soup")
      connection.finishSending()
      #expect(try connection.readReply().status == 200)
      #expect(try connection.readReply().status == 200)
      #expect(try connection.isEndedByServer())
      // Also when the answer takes its time.
      let path = try shop.picture(of: "HBDEF")
      origin.hold()
      let waiting = try shop.connect()
      try waiting.request("GET", path)
      waiting.finishSending()
      try origin.waitForRequest("/images/HBDEF.jpg")
      origin.release()
      #expect(try waiting.readReply().body == Picture.jpeg("HBDEF"))
      #expect(try waiting.isEndedByServer())
    }
  }

  @Test("A head may come byte by byte, and an empty line before it")
  func trickle() throws {
    try withShop { shop in
      let connection = try shop.connect()
      for byte in Array("\r\nGET /onban/main HTTP/1.1\r\nhOsT:  shop.test \t\r\n\r\n".utf8) {
        try connection.send([byte])
      }
      let reply = try connection.readReply()
      #expect(try reply.status == 200 && reply.body == shop.get("/onban/main").body)
    }
  }

  @Test("A body on a GET is read past, not taken for a request")
  func bodyOnGet() throws {
    try withShop { shop in
      let connection = try shop.connect()
      let smuggled = "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"
      try connection.request("GET", "/livez", ["Content-Length: \(smuggled.utf8.count)"])
      try connection.send(smuggled)
      #expect(try connection.readReply().status == 200)
      // Either the body was drained and the connection goes on, or it was not and the connection ends.
      connection.finishSending()
      #expect(try connection.isEndedByServer())
    }
  }

  @Test("A big answer arrives whole at a client that reads late")
  func slowReader() throws {
    try withShop { shop in
      let expected = try shop.get("/api/v1/catalog").body
      let connection = try shop.connect()
      // The requests fit into the buffers of the sockets; their answers are far more than fits.
      let many = 1500
      try connection.send(String(repeating: "GET /api/v1/catalog HTTP/1.1\r\nHost: shop.test\r\n\r\n", count: many))
      for _ in 0..<many { try connection.request("GET", "/api/v1/catalog") }
      for _ in 0..<many {
        guard try connection.readReply().body == expected else {
          Issue.record("An answer differs from the others")
          break
        }
      }
    }
  }
}
