import Testing

/// What the acceptance tests stand on has to hold by itself.
@Suite("The harness", .blocking)
struct HarnessTests {
  @Test("An acceptance test runs on a thread that it may block")
  func threads() {
    #expect(BlockingThreads.shared.areCurrent)
  }

  @Test("An origin answers by its script, counts, and comes back on its port")
  func origin() throws {
    let origin = try ScriptedOrigin()
    defer { origin.stop() }
    origin["/a.jpg"] = .picture(Picture.jpeg("a"))
    let port = origin.port
    for _ in 0..<2 {
      let connection = try RawConnection(port: port)
      try connection.request("GET", "/a.jpg")
      try connection.request("GET", "/b.jpg")
      #expect(try connection.readReply().body == Picture.jpeg("a"))
      #expect(try connection.readReply().status == 404)
      origin.stop()
      #expect(throws: Failure.self) { try RawConnection(port: port) }
      try origin.start()
    }
    #expect(origin.count("/a.jpg") == 2 && origin.count == 4)
  }

  @Test(
    "The strict parser refuses what is not JSON",
    arguments: [
      "{", "[1,]", "{\"a\":1,\"a\":2}", "01", "\"\u{01}\"", "nul", "[] []", "{a:1}", "\"\\ud800\"", "1.", "-",
    ])
  func refuses(_ text: String) {
    #expect(throws: Failure.self) { try StrictJSON(Array(text.utf8)) }
  }

  @Test("The strict parser keeps the order of keys")
  func keepsOrder() throws {
    let value = try StrictJSON(Array(#" {"b": [1, -2.5e3, true, null], "a": "\ud55c\n\uAE00"} "#.utf8))
    #expect(value.keys == ["b", "a"])
    #expect(try value["a"].text == "한\n글")
    #expect(try value["b"] == .array([.number("1"), .number("-2.5e3"), .bool(true), .null]))
  }
}
