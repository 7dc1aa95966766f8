import Glibc
import Testing

@Suite("Stopping under load", .blocking)
struct StoppingTests {
  private struct Load {
    var answered = 0
    var lost = 0
    var running = 0
    /// The last answer on each connection that was kept.
    var lastAnswers: [Bool] = []
  }

  @Test("Whatever was sent on a kept connection is answered, the last answer says so, and readiness turned before")
  func keptConnections() throws {
    try withShop(arguments: ["--log", "off"]) { shop in
      let load = Monitor(Load())
      let watch = try shop.connect()
      try watch.request("GET", "/readyz")
      #expect(try watch.readReply().status == 200)
      for _ in 0..<4 {
        let port = shop.port
        load.with { $0.running += 1 }
        startThread {
          if let connection = try? RawConnection(port: port) { Self.keepAsking(connection, load) }
          load.with { $0.running -= 1 }
        }
      }
      #expect(load.wait { $0.answered > 200 ? true : nil } == true)
      shop.process.send(SIGTERM)
      // The idle one brings one more request, and learns that the shop is no longer ready.
      _ = try shop.process.waitForLine(containing: "stopping")
      try watch.request("GET", "/readyz")
      let reply = try watch.readReply()
      #expect(reply.status == 503)
      #expect(reply.list("Connection") == ["close"])
      #expect(load.wait { $0.running == 0 ? true : nil } == true)
      #expect(load.with { $0.lost } == 0)
      #expect(load.with { $0.lastAnswers } == [true, true, true, true])
      #expect(try shop.process.waitForEnd() == .exited(0))
    }
  }

  @Test("A connection that was accepted is answered, and one that never sent a byte holds nothing up")
  func acceptedConnections() throws {
    try withShop(arguments: ["--log", "off"]) { shop in
      let silent = try shop.connect()
      let late = try shop.connect()
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForLine(containing: "stopping")
      try late.request("GET", "/onban/main")
      let reply = try late.readReply()
      #expect(reply.status == 200)
      #expect(reply.list("Connection") == ["close"])
      #expect(try silent.isEndedByServer())
      #expect(try shop.process.waitForEnd() == .exited(0))
    }
  }

  @Test("Pipelined requests that have come are all answered, and the last answer closes")
  func pipelined() throws {
    try withShop(arguments: ["--log", "off"]) { shop in
      let connection = try shop.connect()
      try connection.request("GET", "/livez")
      #expect(try connection.readReply().status == 200)
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForLine(containing: "stopping")
      try connection.send(String(repeating: "GET /livez HTTP/1.1\r\nHost: shop.test\r\n\r\n", count: 10))
      for number in 1...10 {
        let reply = try connection.readReply()
        #expect(reply.status == 200)
        #expect(reply.list("Connection") == (number == 10 ? ["close"] : []))
      }
      #expect(try connection.isEndedByServer())
      #expect(try shop.process.waitForEnd() == .exited(0))
    }
  }

  @Test("A second signal ends it at once, also while requests are under way")
  func secondSignal() throws {
    try withShop(arguments: ["--log", "off", "--grace", "3600"]) { shop in
      let half = try shop.connect()
      try half.send("GET /onban/main HT")
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForLine(containing: "stopping")
      shop.process.send(SIGTERM)
      #expect(try shop.process.waitForEnd() == .exited(128 + SIGTERM))
    }
  }

  /// Asks on one connection until an answer says that it was the last, or none comes.
  private static func keepAsking(_ connection: RawConnection, _ load: Monitor<Load>) {
    while true {
      guard (try? connection.request("GET", "/onban/main")) != nil, let reply = try? connection.readReply() else {
        return load.with {
          $0.lost += 1
          $0.lastAnswers.append(false)
        }
      }
      load.with { $0.answered += 1 }
      guard !reply.list("Connection").contains("close") else { return load.with { $0.lastAnswers.append(true) } }
    }
  }
}
