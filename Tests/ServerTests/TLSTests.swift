import HTTP
import Net
import OriginScripts
import Server
import Testing

@Suite("A TLS connection")
struct TLSTests {
  private let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
  private let last = "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  private func wishes(_ change: (inout SecureWire.Wishes) -> Void) -> SecureWire.Wishes {
    var wishes = SecureWire.Wishes()
    change(&wishes)
    return wishes
  }

  @Test("is answered over 1.2 and 1.3, and ends with close_notify", arguments: [Int32(0x0303), 0x0304])
  func versions(_ version: Int32) async throws {
    try await withSecureServer { port, _, _ in
      let wire = try SecureWire(port, wishes { $0.version = version })
      wire.send(hello)
      #expect(wire.read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
      wire.send(last)
      #expect(String(decoding: wire.readToEnd(), as: UTF8.self).hasSuffix("hello, world"))
      #expect(wire.end == .closeNotify)
      #expect(throws: SecureWire.Refused.self) { try SecureWire(port, wishes { $0.version = 0x0302 }) }
    }
  }

  @Test("gets two answers to two requests in one record")
  func pipelined() async throws {
    try await withSecureServer { port, _, _ in
      let wire = try SecureWire(port)
      wire.send(hello + last)
      #expect(String(decoding: wire.readToEnd(), as: UTF8.self).occurrences(of: "hello, world") == 2)
    }
  }

  @Test("gets an answer to the request that came with the last bytes of the handshake")
  func earlyRequest() async throws {
    try await withSecureServer { port, _, _ in
      let wire = try SecureWire(port, wishes { $0.firstRequest = last })
      #expect(String(decoding: wire.readToEnd(), as: UTF8.self).hasSuffix("hello, world"))
    }
  }

  @Test("brings a large answer whole through a small window", arguments: [Int32(0x0303), 0x0304])
  func smallWindow(_ version: Int32) async throws {
    try await withSecureServer(LargeAnswer()) { port, _, _ in
      let wire = try SecureWire(
        port,
        wishes {
          $0.version = version
          $0.receiveBuffer = 4_096
        })
      wire.send(last)
      let answer = wire.readToEnd()
      #expect(wire.end == .closeNotify)
      #expect(answer.suffix(LargeAnswer.body.count) == LargeAnswer.body[...])
    }
  }

  @Test("goes on with new keys that the client asks for in the middle of an answer")
  func keyUpdate() async throws {
    try await withSecureServer(LargeAnswer()) { port, _, _ in
      let wire = try SecureWire(port, wishes { $0.receiveBuffer = 4_096 })
      wire.send(hello)
      var received = wire.readSome().count
      for _ in 0..<8 {
        wire.updateKeys()
        received += wire.readSome().count
      }
      wire.send(last)
      received += wire.readToEnd().count
      #expect(wire.end == .closeNotify)
      #expect(received > 2 * LargeAnswer.body.count)
    }
  }

  @Test("agrees on http/1.1, and on nothing else")
  func protocols() async throws {
    try await withSecureServer { port, _, _ in
      let silent = try SecureWire(port)
      #expect(silent.agreedProtocol == nil)
      let both = try SecureWire(port, wishes { $0.protocols = ["h2", "http/1.1"] })
      #expect(both.agreedProtocol == "http/1.1")
      #expect(throws: SecureWire.Refused.self) { try SecureWire(port, wishes { $0.protocols = ["h2"] }) }
      let refused = #expect(throws: SecureWire.Refused.self) {
        try SecureWire(port, wishes { $0.protocols = ["h2", "http/1.10"] })
      }
      #expect(refused?.reason.contains("no application protocol") == true)
    }
  }

  @Test("shows the certificate for the name that the client asks for, and the first to everybody else")
  func serverNames() async throws {
    let identities = { (folder: String) in
      [
        try localIdentity(in: "\(folder)/one", names: ["one.test"]),
        try localIdentity(in: "\(folder)/two", names: ["*.two.test"]),
      ]
    }
    try await withSecureServer(identities: identities) { port, _, _ in
      for (asked, shown) in [
        ("one.test", "one.test"), ("shop.two.test", "shop.two.test"), ("three.test", "one.test"), (nil, "one.test"),
      ] {
        let wire = try SecureWire(port, wishes { $0.name = asked })
        #expect(wire.certificateIs(for: shown))
      }
    }
  }

  @Test("resumes a session on every loop, also after a reload", arguments: [Int32(0x0303), 0x0304])
  func resumption(_ version: Int32) async throws {
    try await withSecureServer(loops: 2) { port, keeper, _ in
      let first = try SecureWire(port, wishes { $0.version = version })
      first.send(hello)
      #expect(first.read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
      #expect(!first.isResumed)
      let session = try #require(first.resumable)
      for round in 0..<6 {
        if round == 3 { keeper.reload() }
        let again = try SecureWire(
          port,
          wishes {
            $0.version = version
            $0.session = session
          })
        #expect(again.isResumed)
        again.send(last)
        #expect(String(decoding: again.readToEnd(), as: UTF8.self).hasSuffix("hello, world"))
      }
    }
  }

  @Test("is never renegotiated")
  func renegotiation() async throws {
    try await withSecureServer { port, _, _ in
      let wire = try SecureWire(port, wishes { $0.version = 0x0303 })
      #expect(!wire.renegotiate())
    }
  }

  @Test("that does not finish its handshake is ended in time")
  func handshakeDeadline() async throws {
    var limits = ServerLimits()
    limits.handshakeTime = 200
    limits.lingerTime = 100
    try await withSecureServer(limits: limits) { port, _, _ in
      let silent = try Wire(port)
      #expect(silent.readToEnd() == "")
      let half = try Wire(port)
      half.send("\u{16}\u{3}\u{1}")
      #expect(half.readToEnd() == "")
    }
  }

  @Test("for which there is no room is told so over TLS, and has room again once one has gone")
  func noRoom() async throws {
    var limits = ServerLimits()
    limits.connections = 1
    try await withSecureServer(limits: limits) { port, _, _ in
      var busy: SecureWire? = try SecureWire(port)
      busy?.send("GET /hello HTTP/1.1\r\nHo")
      // The first of these may still find the other waiting for its request, and end it.
      var refused = ""
      for _ in 0..<100 where !refused.hasPrefix("HTTP/1.1 503 ") {
        guard let wire = try? SecureWire(port) else { continue }
        wire.send(hello)
        refused = wire.read(until: "\r\n\r\n")
        if refused.hasPrefix("HTTP/1.1 200 ") {
          busy = wire
          busy?.send("GET /hello HTTP/1.1\r\nHo")
        }
      }
      #expect(refused.hasPrefix("HTTP/1.1 503 "))
      #expect(refused.contains("Connection: close\r\n"))
      _ = busy
      busy = nil
      var answered = false
      for _ in 0..<200 where !answered {
        guard let wire = try? SecureWire(port) else { continue }
        wire.send(hello)
        answered = wire.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 ")
        if !answered { try await Task.sleep(for: .milliseconds(5)) }
      }
      #expect(answered)
    }
  }

  @Test("that is none gets its answer in the clear, and a clean end")
  func plainRequest() async throws {
    try await withSecureServer { port, _, _ in
      let plain = try Wire(port)
      plain.send(hello)
      #expect(plain.readToEnd()?.hasPrefix("HTTP/1.1 400 ") == true)
      let junk = try Wire(port)
      junk.send("\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}")
      junk.finishWriting()
      #expect(junk.readToEnd() != nil)
    }
  }
}

/// Answers everything with a mebibyte.
private struct LargeAnswer: Responder {
  static let body = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
  let generation = Generation()

  func respond(to request: Request) async -> Response { Response(.ok, body: .bytes(Self.body)) }
  func response(to refusal: Refusal, head: RequestHead?) -> Response { Response(.badRequest) }
}
