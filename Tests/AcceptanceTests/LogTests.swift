import Glibc
import Testing

@Suite("The request log", .blocking)
struct RequestLogTests {
  private static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  /// The line of the log that has `text` in it, read as JSON.
  private func entry(_ shop: RunningShop, _ text: String) throws -> StrictJSON {
    try StrictJSON(Array(try shop.process.waitForLine(containing: text).utf8))
  }

  @Test("An answer says how its request is called in the log, and the log tells the trace that it belongs to")
  func names() throws {
    try withShop(arguments: ["--log", "json"]) { shop in
      let plain = try shop.get("/onban/main?a=1")
      let number = try #require(plain["X-Request-ID"])
      #expect(number.utf8.count == 16 && plain["Server-Timing"]?.contains(/^total;dur=\d+\.\d{3}$/) == true)
      #expect(try entry(shop, number)["target"].text == "/onban/main?a=1")
      #expect(try entry(shop, number).keys.contains("trace") == false)

      let named = try shop.get("/api/v1/sections", "X-Request-ID: order-17", "traceparent: \(Self.trace)")
      #expect(named["X-Request-ID"] == "order-17")
      let entry = try entry(shop, "order-17")
      #expect(try entry["trace"].text == "4bf92f3577b34da6a3ce929d0e0e4736")
      #expect(try entry["parent"].text == "00f067aa0ba902b7" && entry["status"].integer == 200)

      // Kept answers, conditional ones, failures, and what is no request at all.
      let numbers = try (0..<3).map { _ in try shop.get("/api/v1/sections")["X-Request-ID"] }
      #expect(Set(numbers).count == 3)
      let tag = try #require(plain["ETag"])
      #expect(try shop.get("/onban/main", "If-None-Match: \(tag)")["X-Request-ID"] != nil)
      #expect(
        try shop.get("/nowhere", "Origin: http://a.test")["Access-Control-Expose-Headers"]?.contains("X-Request-ID")
          == true)
      let broken = try shop.connect()
      try broken.send("NONSENSE\r\n\r\n")
      let refused = try broken.readReply()
      #expect(refused.status == 400)
      #expect(try self.entry(shop, try #require(refused["X-Request-ID"]))["method"].text == "-")
    }
  }

  @Test("Whatever a client sends, its line is one line of visible characters", arguments: ["text", "json"])
  func hostile(_ format: String) throws {
    try withShop(arguments: ["--log", format]) { shop in
      let agents = ["\u{1b}[2J", "\"}\\", "\u{85}\u{9b}", "김치", "a\tb", String(repeating: "x", count: 4_000)]
      var number = 0
      for agent in agents {
        for target in [
          "/%0d%0a%1b", "/a|b", "/a\"b", "/\\", "/\u{7f}", "/김치", "/" + String(repeating: "y", count: 7_000),
        ] {
          number += 1
          let connection = try shop.connect()
          try connection.send(
            Array(
              "GET \(target) HTTP/1.1\r\nHost: shop.test\r\nX-Request-ID: n\(number)-\r\nUser-Agent: \(agent)\r\n\r\n"
                .utf8))
          _ = try connection.readReply()
        }
      }
      for method in ["BREW", String(repeating: "M", count: 2_000)] {
        _ = try shop.ask(method, "/", "X-Request-ID: last")
      }
      _ = try shop.process.waitForLine(containing: "last")
      try shop.stop()
      try shop.process.waitForChildren()
      let text = shop.process.standardError
      #expect(text.utf8.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
      // Requests that broke the rules have a line, too.
      let lines = shop.process.lines.filter {
        $0.contains("GET ") || $0.contains("\"request\"") || $0.contains("Z 127.")
      }
      #expect(lines.count == number + 2)
      #expect(lines.allSatisfy { $0.utf8.count < 2_048 })
      if format == "json" { for line in shop.process.lines { _ = try StrictJSON(Array(line.utf8)) } }
    }
  }

  @Test(
    "Addresses are logged as far as they are wanted",
    arguments: [("full", "127.0.0.1"), ("short", "127.0.0.0"), ("off", "-")])
  func addresses(_ setting: String, _ expected: String) throws {
    try withShop(arguments: ["--log", "json", "--log-addresses", setting]) { shop in
      let name = try #require(try shop.get("/api/v1/sections")["X-Request-ID"])
      #expect(try entry(shop, name)["peer"].text == expected)
    }
  }

  @Test("Behind a trusted proxy the client's address is logged, and nobody else's word counts")
  func proxies() throws {
    for (arguments, expected) in [(["--trusted-proxy", "127.0.0.1"], "203.0.113.7"), ([], "127.0.0.1")] {
      try withShop(arguments: ["--log", "json"] + arguments) { shop in
        _ = try shop.get("/livez", "X-Forwarded-For: 203.0.113.7", "X-Request-ID: probe")
        _ = try shop.get("/api/v1/sections", "X-Forwarded-For: 6.6.6.6, 203.0.113.7", "X-Request-ID: proxied")
        #expect(try entry(shop, "proxied")["peer"].text == expected)
        #expect(!shop.process.standardError.contains("probe"))
      }
    }
  }

  @Test("With --log-level debug probes have a line, too")
  func probes() throws {
    try withShop(arguments: ["--log-level", "debug"]) { shop in
      #expect(try shop.get("/livez").status == 200)
      let line = try shop.process.waitForLine(containing: "/livez")
      #expect(line.contains(" 200 "))
    }
  }
}
