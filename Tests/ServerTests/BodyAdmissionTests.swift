import HTTP
import Net
import Server
import Testing

/// Takes large bodies on `/upload`, nothing on `/closed`, and answers with what it counts in them.
private struct Uploads: Responder {
  let generation = Generation()

  func admitBody(of head: RequestHead) async -> BodyAdmission {
    switch head.path {
    case Array("/upload".utf8): .upTo(1 << 20)
    case Array("/closed".utf8): .refused(Response(.forbidden, body: .bytes(Array("not yours".utf8))))
    default: .usual
    }
  }

  func respond(to request: Request) async -> Response {
    let sum = request.body.reduce(0) { ($0 &* 31 &+ Int($1)) % 1_000_003 }
    return Response(.ok, body: .bytes(Array("\(request.body.count) bytes, sum \(sum)!".utf8)))
  }

  func response(to refusal: Refusal, head: RequestHead?) -> Response {
    if case .fault(let fault) = refusal { Response(fault.status) } else { Response(.internalServerError) }
  }
}

@Suite("Bodies that an endpoint asks for")
struct BodyAdmissionTests {
  private static func sum(_ body: some Sequence<UInt8>) -> Int { body.reduce(0) { ($0 &* 31 &+ Int($1)) % 1_000_003 } }

  private static func text(count: Int) -> String {
    String(decoding: (0..<count).map { UInt8(33 + $0 % 89) }, as: UTF8.self)
  }

  private static func chunked(_ text: String, by size: Int) -> String {
    var (rest, chunks) = (text.utf8[...], "")
    while !rest.isEmpty {
      let chunk = rest.prefix(size)
      chunks += String(chunk.count, radix: 16) + "\r\n" + String(Substring(chunk)) + "\r\n"
      rest = rest.dropFirst(chunk.count)
    }
    return chunks + "0\r\n\r\n"
  }

  @Test("A body above the usual limit is taken where the endpoint asks for it", arguments: [65_537, 1 << 20])
  func large(count: Int) async throws {
    let body = Self.text(count: count)
    let expected = "\(count) bytes, sum \(Self.sum(body.utf8))!"
    try await withServer(Uploads()) { port, _ in
      let wire = try Wire(port)
      let head = "POST /upload HTTP/1.1\r\nHost: a\r\n"
      wire.send("\(head)Content-Length: \(count)\r\n\r\n\(body)")
      #expect(wire.read(until: "!").hasSuffix(expected))
      // The connection goes on, and so it does behind chunks.
      wire.send("\(head)Transfer-Encoding: chunked\r\n\r\n\(Self.chunked(body, by: 10_000))")
      #expect(wire.read(until: "!").hasSuffix(expected))
    }
  }

  @Test(
    "A byte more is refused, there and elsewhere, however the length is told",
    arguments: [("/upload", (1 << 20) + 1), ("/other", 64 * 1024 + 1)])
  func tooLarge(path: String, count: Int) async throws {
    try await withServer(Uploads()) { port, _ in
      let head = "POST \(path) HTTP/1.1\r\nHost: a\r\n"
      let announced = try Wire(port)
      announced.send("\(head)Content-Length: \(count)\r\n\r\n")
      #expect(announced.readToEnd()?.hasPrefix("HTTP/1.1 413 ") == true)
      let counted = try Wire(port)
      counted.send("\(head)Transfer-Encoding: chunked\r\n\r\n\(Self.chunked(Self.text(count: count), by: 9_999))")
      #expect(counted.readToEnd()?.hasPrefix("HTTP/1.1 413 ") == true)
    }
  }

  @Test(
    "Who may not upload is told so before the body, which is not taken for a request",
    arguments: ["", "Expect: 100-continue\r\n"])
  func refused(expectation: String) async throws {
    try await withServer(Uploads()) { port, _ in
      let wire = try Wire(port)
      wire.send("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\(expectation)\r\n")
      wire.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = wire.read(until: "not yours")
      #expect(answer.hasPrefix("HTTP/1.1 403 "))
      #expect(answer.contains("Connection: close\r\n"))
      wire.finishWriting()
      #expect(wire.readToEnd() == "")
    }
  }

  @Test("Who waits to be asked for the body is asked once it is admitted")
  func asked() async throws {
    try await withServer(Uploads()) { port, _ in
      let wire = try Wire(port)
      wire.send(
        "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
      #expect(wire.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      wire.send("hello")
      #expect(wire.read(until: "!").contains("5 bytes, sum "))
    }
  }

  @Test(
    "All bodies together are bounded: one too many is told to come again, and one that is alone may be as large as it may be"
  )
  func together() async throws {
    var limits = ServerLimits()
    limits.bodies = 1_000
    try await withServer(Uploads(), limits: limits) { port, _ in
      let head = "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n"
      let first = try Wire(port)
      first.send("\(head)Expect: 100-continue\r\n\r\n")
      #expect(first.read(until: "\r\n\r\n").contains("100 Continue"))
      first.send(Self.text(count: 1_999))
      // What the first has sent is there when the second is refused; until then the second may be alone.
      var refused = ""
      for _ in 0..<1_000 where !refused.contains(" 503 ") {
        let second = try Wire(port)
        second.send("\(head)\r\n\(Self.text(count: 1_999))")
        second.finishWriting()
        refused = second.readToEnd() ?? ""
      }
      #expect(refused.contains(" 503 "))
      first.send("x")
      #expect(first.read(until: "!").contains("2000 bytes"))
      let third = try Wire(port)
      third.send("\(head)\r\n\(Self.text(count: 2_000))")
      #expect(third.read(until: "!").contains("2000 bytes"))
    }
  }
}
