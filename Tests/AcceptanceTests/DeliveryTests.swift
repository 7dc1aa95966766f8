import FoundationEssentials
import Testing

@Suite("Delivery", .blocking)
struct DeliveryTests {
  @Test("gzip has a name of its own, and each name is good for a 304 in its coding only")
  func gzip() throws {
    try withShop { shop in
      for target in ["/api/v1/catalog", "/onban/main", "/jk/storeapp/main.json"] {
        let plain = try shop.get(target)
        let coded = try shop.get(target, "Accept-Encoding: gzip")
        #expect(plain["Content-Encoding"] == nil && coded["Content-Encoding"] == "gzip")
        #expect(coded.body.count < plain.body.count && coded.body.starts(with: [0x1f, 0x8b]))
        #expect(plain["ETag"] != coded["ETag"])
        #expect(plain.list("Vary").contains("accept-encoding") && coded.list("Vary").contains("accept-encoding"))
        let tag = try #require(coded["ETag"])
        #expect(try shop.get(target, "Accept-Encoding: gzip", "If-None-Match: \(tag)").status == 304)
        #expect(try shop.get(target, "If-None-Match: \(tag)").status == 200)
        // The same bytes each time: a client that resumes or compares relies on it.
        #expect(try shop.get(target, "Accept-Encoding: gzip").body == coded.body)
      }
    }
  }

  @Test(
    "The coding follows the weights",
    arguments: [
      ("gzip;q=0", 200, nil), ("identity;q=0, gzip", 200, "gzip"), ("br, *;q=0.1", 200, "gzip"), ("*;q=0", 406, nil),
      ("identity;q=0", 406, nil), ("gzip;q=0.1, identity;q=0.9", 200, nil), ("br", 200, nil),
    ] as [(String, Int, String?)])
  func codings(_ accepted: String, _ status: Int, _ coding: String?) throws {
    try withShop { shop in
      let reply = try shop.get("/api/v1/catalog", "Accept-Encoding: \(accepted)")
      #expect(reply.status == status)
      #expect(reply["Content-Encoding"] == coding)
    }
  }

  private func imageBase(_ reply: Reply) throws -> String {
    String(try #require(reply.text.firstMatch(of: /"image":"(https?:\/\/[^\/]*)\//)).1)
  }

  @Test("URLs in answers have the host that the client asked for, else the one the operator set")
  func hosts() throws {
    try withShop { shop in
      for host in ["shop.test", "shop.test:8080", "[::1]:8080", "SHOP.test"] {
        #expect(try imageBase(shop.get("/onban/main", "Host: \(host)")) == "http://\(host)")
      }
      // Nobody is trusted unless the operator says so.
      let claimed = try shop.get("/onban/main", "Host: a", "X-Forwarded-Host: evil.test", "X-Forwarded-Proto: https")
      #expect(try imageBase(claimed) == "http://a")
    }
    try withShop(arguments: ["--public-url", "https://shop.example"]) { shop in
      #expect(try imageBase(shop.get("/onban/main", "Host: other")) == "https://shop.example")
    }
  }

  @Test(
    "A trusted proxy's word on scheme and host counts, the last word of several",
    arguments: [
      (["X-Forwarded-Proto: https", "X-Forwarded-Host: shop.test"], "https://shop.test"),
      (["X-Forwarded-Proto: https"], "https://a"), (["X-Forwarded-Host: x.test, shop.test:1"], "http://shop.test:1"),
      (["Forwarded: for=1.2.3.4;proto=https;host=shop.test"], "https://shop.test"),
      (["Forwarded: host=evil.test, Proto=https; Host=\"shop.test:443\""], "https://shop.test:443"),
      (["Forwarded: proto=https", "X-Forwarded-Host: ignored.test"], "https://a"),
      (["X-Forwarded-Host: not/a/host", "X-Forwarded-Proto: gopher"], "http://a"),
    ])
  func proxies(_ fields: [String], _ expected: String) throws {
    try withShop(arguments: ["--trusted-proxy", "127.0.0.0/8"]) { shop in
      // Twice: what was given before must not go to whom it is not for.
      for _ in 0..<2 {
        let connection = try shop.connect()
        try connection.request("GET", "/onban/main", ["Host: a", "Connection: close"] + fields)
        #expect(try imageBase(connection.readReply()) == expected)
        #expect(try imageBase(shop.get("/onban/main", "Host: a")) == "http://a")
      }
    }
  }

  @Test("Only origins that the operator named may send credentials")
  func credentials() throws {
    try withShop(arguments: ["--cors-origin", "https://shop.example"]) { shop in
      let named = try shop.get("/onban/main", "Origin: https://shop.example")
      #expect(named["Access-Control-Allow-Credentials"] == "true")
      #expect(named["Access-Control-Allow-Origin"] == "https://shop.example")
      let other = try shop.get("/onban/main", "Origin: https://other.example")
      #expect(other["Access-Control-Allow-Credentials"] == nil)
      #expect(other["Access-Control-Allow-Origin"] == "https://other.example")
    }
  }
}
