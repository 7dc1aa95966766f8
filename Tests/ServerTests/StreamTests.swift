import HTTP
import Server
import Synchronization
import Testing

@Suite("A body without a known end")
struct StreamTests {
  @Test("goes in chunks over HTTP/1.1, and the connection carries another request")
  func chunks() async throws {
    try await withServer(Streaming(["one", "", "three and more"])) { port, _ in
      let wire = try Wire(port)
      wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let head = wire.read(until: "\r\n\r\n")
      #expect(head.contains("Transfer-Encoding: chunked\r\n"))
      #expect(!head.contains("Content-Length"))
      #expect(wire.read(until: "0\r\n\r\n") == "3\r\none\r\ne\r\nthree and more\r\n0\r\n\r\n")
      wire.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(wire.readToEnd()?.hasSuffix("\r\n0\r\n\r\n") == true)
    }
  }

  @Test("ends with the connection over HTTP/1.0, whatever the client asks for")
  func untilClose() async throws {
    try await withServer(Streaming(["one", "two"])) { port, _ in
      let wire = try Wire(port)
      wire.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let answer = try #require(wire.readToEnd())
      #expect(answer.contains("Connection: close\r\n"))
      #expect(!answer.contains("Transfer-Encoding"))
      #expect(answer.hasSuffix("\r\n\r\nonetwo"))
    }
  }

  @Test("is left out for HEAD, and let go")
  func head() async throws {
    let responder = Streaming(["one"])
    try await withServer(responder) { port, _ in
      let wire = try Wire(port)
      wire.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answer = try #require(wire.readToEnd())
      #expect(answer.contains("Transfer-Encoding: chunked\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
    #expect(responder.living.withLock { $0 } == 0)
  }

  @Test("outlives the connection's life, which is over when it ends")
  func life() async throws {
    var limits = ServerLimits()
    limits.life = 500
    let gate = Gate()
    try await withServer(Streaming(["one", "two"], gate: gate), limits: limits) { port, _ in
      let wire = try Wire(port)
      wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = wire.read(until: "one\r\n")
      // More than twice its life, which is what any other answer may take.
      for _ in 0..<6 { #expect(!wire.hasEnded()) }
      gate.open()
      #expect(wire.readToEnd() == "3\r\ntwo\r\n0\r\n\r\n")
    }
  }

  @Test("that nobody reads is let go, and so is the connection")
  func stalled() async throws {
    var limits = ServerLimits()
    limits.sendStall = 200
    let responder = Streaming(repeating: String(repeating: "x", count: 1 << 20))
    try await withServer(responder, limits: limits) { port, _ in
      let wire = try Wire(port)
      wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = wire.read(until: "\r\n\r\n")
      while responder.living.withLock({ $0 }) > 0 { await Task.yield() }
      #expect(wire.readToEnd()?.hasSuffix("0\r\n\r\n") != true)
    }
  }
}

/// Answers everything with a stream of some pieces.
private final class Streaming: Responder {
  let generation = Generation()
  /// How many of its streams are held by somebody.
  let living = Mutex(0)
  private let pieces: [String]
  private let isEndless: Bool
  private let gate: Gate?

  init(_ pieces: [String], gate: Gate? = nil) {
    self.pieces = pieces
    self.gate = gate
    isEndless = false
  }

  init(repeating piece: String) {
    pieces = [piece]
    gate = nil
    isEndless = true
  }

  func respond(to request: Request) async -> Response {
    Response(.ok, body: .stream(Pieces(of: self)))
  }

  func response(to refusal: Refusal, head: RequestHead?) -> Response { Response(.badRequest) }

  private final class Pieces: BodyStream {
    private let owner: Streaming
    private let place = Mutex(0)

    init(of owner: Streaming) {
      self.owner = owner
      owner.living.withLock { $0 += 1 }
    }

    deinit { owner.living.withLock { $0 -= 1 } }

    func next() async -> [UInt8]? {
      let index = place.withLock { place in
        defer { place += 1 }
        return place
      }
      if index == 1, let gate = owner.gate { await gate.wait() }
      if owner.isEndless { return Array(owner.pieces[0].utf8) }
      return index < owner.pieces.count ? Array(owner.pieces[index].utf8) : nil
    }
  }
}
