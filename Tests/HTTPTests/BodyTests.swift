import Testing

@testable import HTTP

@Suite("A chunked body")
struct ChunkedDecoderTests {
  private func decode(_ text: String, pieces: Int = .max) throws -> (body: String, taken: Int, isAtEnd: Bool) {
    var decoder = ChunkedDecoder()
    var body: [UInt8] = []
    var taken = 0
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty, !decoder.isAtEnd {
      let piece = Array(rest.prefix(pieces))
      let count = try decoder.decode(piece.span, into: &body)
      taken += count
      rest = rest.dropFirst(count)
    }
    return (String(decoding: body, as: UTF8.self), taken, decoder.isAtEnd)
  }

  @Test("is decoded in pieces of any size", arguments: [1, 2, 3, 7, Int.max])
  func pieces(_ size: Int) throws {
    let text =
      "5\r\nhello\r\nA;x=\"y\\\"\" ; b ;c = d\r\n0123456789\r\n0000;e;f=\"\"\r\nTrailer: 1\r\n\r\nGET"
    let result = try decode(text, pieces: size)
    #expect(result.body == "hello0123456789")
    #expect(result.isAtEnd)
    #expect(result.taken == text.utf8.count - 3)
  }

  @Test(
    "that breaks the grammar is refused",
    arguments: [
      "\r\n", "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\na\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "1\na\r\n", "1\r\nab\r\n",
      "1\r\na\n", "1;\r\na\r\n", "1;a=\r\n", "1;a=\"b\r\n", "1;a=\"b\"c\r\n", "1;a b\r\n", "1;a \r\n", "1;a=b=c\r\n",
      "1 a\r\n", "1;=a\r\n",
      "8000000000000000\r\n", "00000000000000005\r\nhello\r\n",
      "FFFFFFFFFFFFFFFFF\r\n", "0\r\n: x\r\n", "0\r\nX: \u{1}\r\n", "1;\u{0}\r\na\r\n", "0\r\n\rX", "0\r\njunk\r\n",
      "0\r\na b: 1\r\n",
    ])
  func malformed(_ text: String) {
    #expect(throws: ChunkFault.malformed) { _ = try decode(text) }
  }

  @Test(
    "is too large as soon as its chunks announce more than the limit",
    arguments: ["6\r\n", "4\r\nfour\r\n2\r\n", "7FFFFFFFFFFFFFFF\r\n"])
  func limit(_ text: String) {
    var decoder = ChunkedDecoder(limit: 5)
    var body: [UInt8] = []
    #expect(throws: ChunkFault.tooLarge) { _ = try decoder.decode(Array(text.utf8).span, into: &body) }
  }

  @Test("may not hide behind endless extensions or trailers")
  func bounded() {
    let long = String(repeating: "a", count: ChunkedDecoder.overheadLimit + 1)
    #expect(throws: ChunkFault.tooLong) { _ = try decode("1;\(long)") }
    #expect(throws: ChunkFault.tooLong) { _ = try decode("0\r\n\(long)") }
  }
}

@Suite("A prepared response")
struct PreparedResponseTests {
  private func text(_ response: Response, _ form: PreparedResponse.Form, now: Int64 = 0) -> String {
    var bytes: [UInt8] = []
    PreparedResponse(response).appendHead(of: form, to: &bytes, now: now)
    return String(decoding: bytes, as: UTF8.self)
  }

  private var picture: Response {
    var response = Response(.ok, body: .bytes([UInt8](repeating: 1, count: 100)))
    response.add(.contentType, "image/png")
    response.add(.cacheControl, "no-cache")
    response.entityTag = EntityTag(strong: Array("t".utf8))
    response.acceptsRanges = true
    response.freshness = Response.Freshness(storedAt: 100, lifetime: 50)
    response.cacheStatus = .hit
    return response
  }

  @Test("has its fields in order, with the age of the moment")
  func full() {
    #expect(
      text(picture, .full, now: 130) == """
        HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 100\r\nCache-Control: no-cache\r\nETag: "t"\r\n\
        Accept-Ranges: bytes\r\nVary: Origin\r\nAge: 30\r\nCache-Status: banchan; hit; ttl=20\r\n\
        Server-Timing: cache;desc=hit\r\n
        """)
  }

  @Test("as a part says which")
  func part() {
    let part = text(picture, .part(10..<20))
    #expect(part.hasPrefix("HTTP/1.1 206 Partial Content\r\nContent-Type: image/png\r\nContent-Length: 10\r\n"))
    #expect(part.contains("Content-Range: bytes 10-19/100\r\n"))
  }

  @Test("as a 304 keeps what caches need, and says nothing of a body")
  func notModified() {
    let head = text(picture, .notModified)
    #expect(head.hasPrefix("HTTP/1.1 304 Not Modified\r\nCache-Control: no-cache\r\nETag: \"t\"\r\n"))
    #expect(!head.contains("Content-"))
  }

  @Test("never has a line end inside a value")
  func injection() {
    var response = Response(.ok)
    response.add(.location, "/a\r\nSet-Cookie: x")
    #expect(text(response, .full).contains("Location: /a  Set-Cookie: x\r\n"))
  }
}
