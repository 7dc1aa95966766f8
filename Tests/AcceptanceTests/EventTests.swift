import Glibc
import Testing

@Suite("Events of the shop", .blocking)
struct EventTests {
  @Test("Whoever listens is told the catalog's version at once, and each later one")
  func catalogVersions() throws {
    try withShop { shop in
      let listener = try EventListener(shop)
      #expect(listener.head.status == 200)
      #expect(listener.head["Content-Type"] == "text/event-stream")
      #expect(listener.head["Cache-Control"]?.contains("no-store") == true)
      #expect(listener.head["Content-Encoding"] == nil)
      #expect(listener.head["Content-Length"] == nil)
      let first = try listener.next("catalog")
      #expect(first.id == "1")
      #expect(first.data.hasPrefix(#"{"version":1,"publishedAt":"20"#))

      try shop.folder.write(SampleShop().setting("price", of: 0, to: "1000").json, to: "new.json")
      let imported = try BanchanProcess.run(["import", "new.json", "--data", "data"], in: shop.folder.path)
      #expect(imported.end == .exited(0))
      let second = try listener.next("catalog")
      #expect(second.id == "2")
      let version = try shop.json("/api/v1/sections")["version"].integer
      #expect(version == 2)
    }
  }

  @Test("A listener that comes back is told what it missed, and not what it has heard")
  func reconnecting() throws {
    try withShop { shop in
      let first = try EventListener(shop, after: "0").next("catalog")
      #expect(first.id == "1")
      let upToDate = try EventListener(shop, after: "1")
      try shop.folder.write(SampleShop().setting("price", of: 0, to: "1000").json, to: "new.json")
      _ = try BanchanProcess.run(["import", "new.json", "--data", "data"], in: shop.folder.path)
      let missed = try upToDate.next("catalog")
      #expect(missed.id == "2")
    }
  }

  @Test("Pages of other origins may listen; HEAD gets the head alone; other methods and parameters are refused")
  func asAnyOtherAnswer() throws {
    try withShop { shop in
      let connection = try shop.connect()
      try connection.request("GET", "/api/v1/events", ["Origin: https://app.test", "Accept-Encoding: gzip"])
      let head = try connection.readStreamHead()
      #expect(head["Access-Control-Allow-Origin"] != nil)
      #expect(head["Content-Encoding"] == nil)
      let only = try shop.ask("HEAD", "/api/v1/events")
      #expect(only.status == 200 && only["Content-Type"] == "text/event-stream")
      let withParameter = try shop.get("/api/v1/events?since=1")
      #expect(withParameter.status == 400)
      let deleting = try shop.ask("DELETE", "/api/v1/events")
      #expect(deleting.status == 405)
    }
  }

  @Test("A stopping shop ends the streams properly and does not wait for them")
  func stopping() throws {
    try withShop(arguments: ["--grace", "3600"]) { shop in
      let listeners = try (0..<20).map { _ in try EventListener(shop) }
      for listener in listeners { _ = try listener.next("catalog") }
      shop.process.send(SIGTERM)
      for listener in listeners {
        let event = try listener.next()
        #expect(event == nil)
      }
      let end = try shop.process.waitForEnd()
      #expect(end == .exited(0))
    }
  }
}
