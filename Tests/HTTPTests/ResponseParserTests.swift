import Testing

@testable import HTTP

private func parse(_ text: String, answersHEAD: Bool = false) throws -> (head: ResponseHead, length: Int)? {
  var parser = ResponseParser(answersHEAD: answersHEAD)
  return try parser.parse(Array(text.utf8))
}

@Suite struct ResponseParserTests {
  @Test(
    "Where a body ends follows from the head",
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", ResponseHead.Framing.length(5), true),
      ("HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n", .length(0), true),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n", .length(5), false),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: Upgrade, CLOSE\r\n\r\n", .length(5), false),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .chunked, true),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: \t Chunked \r\n\r\n", .chunked, true),
      ("HTTP/1.1 200 OK\r\n\r\n", .untilClose, false),
      ("HTTP/1.1 200\r\n\r\n", .untilClose, false),
      ("HTTP/1.1 200 \r\n\r\n", .untilClose, false),
      ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", .length(5), false),
      ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: Keep-Alive\r\n\r\n", .length(5), true),
      ("HTTP/1.1 204 No Content\r\n\r\n", .none, true),
      ("HTTP/1.1 304 Not Modified\r\nContent-Length: 900\r\n\r\n", .none, true),
      ("HTTP/1.1 404 \u{C5C6}\u{C74C}\r\nContent-Length: 1\r\n\r\n", .length(1), true),
    ])
  func framing(_ text: String, _ framing: ResponseHead.Framing, _ keepsAlive: Bool) throws {
    let (head, length) = try #require(try parse(text + "body"))
    #expect(head.framing == framing)
    #expect(head.keepsAlive == keepsAlive)
    #expect(length == text.utf8.count)
  }

  @Test("An answer to HEAD has no body, whatever its length says")
  func head() throws {
    let (head, _) = try #require(try parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", answersHEAD: true))
    #expect(head.framing == .none)
    #expect(head.keepsAlive)
  }

  @Test(
    "What is not exactly HTTP/1.1 is refused",
    arguments: [
      ("HTTP/2 200 OK\r\n\r\n", ResponseFault.statusLine), ("http/1.1 200 OK\r\n\r\n", .statusLine),
      ("HTTP/1.1  200 OK\r\n\r\n", .statusLine), ("HTTP/1.1 20 OK\r\n\r\n", .statusLine),
      ("HTTP/1.1 2000 OK\r\n\r\n", .statusLine), ("HTTP/1.1 +20 OK\r\n\r\n", .statusLine),
      ("HTTP/1.1 099 OK\r\n\r\n", .statusLine), ("HTTP/1.1 200 O\u{1}K\r\n\r\n", .statusLine),
      ("HTTP/1.1\r\n\r\n", .statusLine), ("\r\nHTTP/1.1 200 OK\r\n\r\n", .statusLine),
      ("ICY 200 OK\r\n\r\n", .statusLine),
      ("<html>\r\n\r\n", .statusLine), ("\r\n\r\n", .statusLine),
      ("HTTP/1.1 200 OK\n\n", .lineEnding), ("HTTP/1.1 200 OK\r\nA: b\n\r\n", .lineEnding), ("\n", .lineEnding),
      ("HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n", .field), ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", .field),
      ("HTTP/1.1 200 OK\r\n: b\r\n\r\n", .field), ("HTTP/1.1 200 OK\r\nA\r\n\r\n", .field),
      ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .field), ("HTTP/1.1 200 OK\r\n A: b\r\n\r\n", .field),
      ("HTTP/1.1 200 OK\r\nA: b\u{0}\r\n\r\n", .field), ("HTTP/1.1 200 OK\r\nÄ: b\r\n\r\n", .field),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: ５\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", .length),
      ("HTTP/1.1 304 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", .length),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .transferCoding),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCoding),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chun\u{212A}ed\r\n\r\n", .transferCoding),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n", .transferCoding),
      ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCoding),
      ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", .switchedProtocol),
    ])
  func refused(_ text: String, _ fault: ResponseFault) {
    #expect(throws: fault) { _ = try parse(text) }
    #expect(throws: fault) { _ = try fedByteByByte(text) }
  }

  @Test("A head may come byte by byte, behind interim answers")
  func incremental() throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    let text = interim + "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 3\r\n\r\n"
    let (head, length) = try #require(try fedByteByByte(text))
    #expect(length == text.utf8.count)
    #expect(head[.etag] == Array("\"a\"".utf8))
    #expect(try parse(String(text.dropLast())) == nil)
    #expect(try parse("") == nil)
  }

  @Test("Fields are found in any case, with the white space around their values gone")
  func fields() throws {
    let text =
      "HTTP/1.1 200 OK\r\nCACHE-control: No-Store , max-age=5\r\nX-Forwarded-Host:\r\ncache-Control: \t private\t \r\n\r\n"
    let (head, _) = try #require(try parse(text))
    #expect(
      head.values(of: .cacheControl) == ["No-Store , max-age=5", "private"].map { Array($0.utf8) })
    #expect(head[.xForwardedHost]?.isEmpty == true)
    #expect(head[.etag] == nil)
    #expect(head.list(.cacheControl, has: "no-store"))
    #expect(head.list(.cacheControl, has: "private"))
    #expect(!head.list(.cacheControl, has: "max-age"))
  }

  @Test("Heads are 32 KiB long at most, interim ones counted")
  func limit() throws {
    let start = "HTTP/1.1 200 OK\r\nA: "
    let fits = start + String(repeating: "a", count: 32_768 - start.utf8.count - 4) + "\r\n\r\n"
    #expect(try parse(fits + "body")?.length == 32_768)
    let tooLong = start + String(repeating: "a", count: 32_768 - start.utf8.count - 3) + "\r\n\r\n"
    #expect(throws: ResponseFault.tooLong) { _ = try parse(tooLong) }
    let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 1200)
    #expect(throws: ResponseFault.tooLong) { _ = try parse(interim) }
    #expect(throws: ResponseFault.tooLong) { _ = try parse(interim + "HTTP/1.1 200 OK\r\n\r\n") }
  }

  private func fedByteByByte(_ text: String) throws -> (head: ResponseHead, length: Int)? {
    var parser = ResponseParser(answersHEAD: false)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      bytes.append(byte)
      if let result = try parser.parse(bytes) { return result }
    }
    return nil
  }
}
