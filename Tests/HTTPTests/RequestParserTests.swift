import Testing

@testable import HTTP

/// Parses a whole request text, as one piece or byte by byte.
func parse(_ text: String, bytewise: Bool = false, limits: RequestLimits = RequestLimits()) throws -> RequestHead? {
  let storage = HeadStorage(limits: limits)
  var parser = RequestParser(limits: limits)
  let bytes = Array(text.utf8)
  for piece in bytewise ? bytes.map({ [$0] }) : [bytes] {
    var offset = 0
    while offset < piece.count {
      let taken = storage.fill { room in
        let count = min(room.count, piece.count - offset)
        room.copyBytes(from: piece[offset..<offset + count])
        return count
      }
      offset += taken ?? 0
      if case .head(let head) = try parser.parse(storage) { return head }
      if taken == 0 { break }
    }
  }
  return nil
}

private func get(_ fields: String = "Host: shop.test\r\n", target: String = "/", version: String = "1.1") -> String {
  "GET \(target) HTTP/\(version)\r\n\(fields)\r\n"
}

@Suite("A request head")
struct RequestParserTests {
  @Test("is read the same in one piece and byte by byte", arguments: [false, true])
  func pieces(bytewise: Bool) throws {
    let text = "GET /a/b%20c?q=1&r HTTP/1.1\r\nHost: shop.test:8080\r\nX-One:  two \t\r\nx-one: three\r\n\r\n"
    let head = try #require(try parse(text, bytewise: bytewise))
    #expect(head.method == .get)
    #expect(head.version == .http11)
    #expect(head.path == Array("/a/b%20c".utf8))
    #expect(head.query == Array("q=1&r".utf8))
    #expect(head.authority == Array("shop.test:8080".utf8))
    #expect(head.fieldCount == 3)
    #expect(head.keepsAlive)
    #expect(head.framing == .none)
  }

  @Test("is waited for until its empty line has come")
  func incomplete() throws {
    #expect(try parse("GET / HTTP/1.1\r\nHost: a\r\n") == nil)
    #expect(try parse("GET / HT") == nil)
  }

  @Test(
    "is refused when the rules are broken",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\nHost: a\r\n\r\n",
      "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "GET /\r\n\r\n",
      "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET a HTTP/1.1\r\nHost: a\r\n\r\n", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", "GET /#f HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /%0d%0a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /%ed%a0%80 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /é HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n",
      "G\u{0}T / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
      get("Host : a\r\n"), get(" Host: a\r\n"), get("Host: a\r\n folded\r\n"), get("Host: a\r\nX-\u{0}: 1\r\n"),
      get("Host: a\r\nX: 1\r2\r\n"), get("Host: a\r\nX: \u{1b}\r\n"), get("Host: a\r\n: 1\r\n"),
      get("Host: a\r\njunk\r\n"), get("Host: a,b\r\n"), get("Host: u@a\r\n"), get("Host: a/b\r\n"), get("Host:\r\n"),
      get("Host: a:b\r\n"), get("Host: a:1:1\r\n"), get("Host: a:99999\r\n"), get("Host: [zz]\r\n"),
      get("Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n"), get("Host: a\r\nContent-Length: +1\r\n"),
      get("Host: a\r\nContent-Length: 1, 1\r\n"), get("Host: a\r\nContent-Length: 99999999999999999999\r\n"),
      get("Host: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
      get("Host: a\r\nTransfer-Encoding: chunked, chunked\r\n"),
      get("Host: a\r\nTransfer-Encoding: chunked, gzip\r\n"),
      get("Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n"),
      get("Host: a\r\nTransfer-Encoding: chunked;a=b\r\n"), get("Host: a\r\nTransfer-Encoding: \"chunked\"\r\n"),
      get("Host: a\r\nTransfer-Encoding: chunked cow\r\n"), get("Host: a\r\nTransfer-Encoding: ,chunked\r\n"),
      get("Host: a\r\nTransfer-Encoding: chunked,\r\n"), get("Host: a\r\nTransfer-Encoding:\r\n"),
      get("Host: a\r\nTransfer-Encoding: \u{a0}chunked\r\n"),
      get("Host: a\r\nTransfer-Encoding: foo;x=\",chunked\"\r\n"),
      // A Kelvin sign: lower case makes a k of it, but it is no character of a coding.
      get("Host: a\r\nTransfer-Encoding: chun\u{212a}ed\r\n"),
      get("Host: a\r\nTransfer-Encoding: chunked\r\n", version: "1.0"), get(version: "1.10"), get(version: "1"),
    ])
  func malformed(_ text: String) {
    let fault = #expect(throws: RequestFault.self) { _ = try parse(text) }
    #expect(fault?.status == .badRequest)
  }

  @Test(
    "with a transfer coding that nobody here knows is a 501", arguments: ["foo", "gzip, chunked", "foo ; a=b, chunked"])
  func unknownCoding(_ coding: String) {
    let fault = #expect(throws: RequestFault.self) {
      _ = try parse(get("Host: a\r\nTransfer-Encoding: \(coding)\r\n"))
    }
    #expect(fault?.status == .notImplemented)
  }

  @Test(
    "of another protocol version is a 505",
    arguments: ["2.0", "0.9", "3.1", "9.9"])
  func versions(_ version: String) {
    #expect(throws: RequestFault.versionNotSupported) { _ = try parse(get(version: version)) }
  }

  @Test("of HTTP/1.2 to 1.9 counts as 1.1", arguments: ["1.1", "1.2", "1.9"])
  func minorVersions(_ version: String) throws {
    #expect(try parse(get(version: version))?.version == .http11)
  }

  @Test("says whether the connection stays")
  func persistence() throws {
    #expect(try parse(get("Host: a\r\nConnection: x, Close\r\n"))?.keepsAlive == false)
    #expect(try parse(get("Host: a\r\n", version: "1.0"))?.keepsAlive == false)
    #expect(try parse(get("Host: a\r\nConnection: Keep-Alive\r\n", version: "1.0"))?.keepsAlive == true)
    #expect(try parse(get("", version: "1.0"))?.authority == [])
  }

  @Test("within the limits is taken, and one past them is a 414 or 431")
  func limits() throws {
    var limits = RequestLimits()
    limits.requestLine = 100
    limits.fieldBlock = 200
    limits.fieldCount = 3
    let target = "/" + String(repeating: "a", count: 100 - "GET / HTTP/1.1".count)
    #expect(try parse(get(target: target), limits: limits) != nil)
    #expect(throws: RequestFault.lineTooLong) { _ = try parse(get(target: target + "a"), limits: limits) }
    #expect(throws: RequestFault.lineTooLong) {
      _ = try parse(String(repeating: "A", count: 101), bytewise: true, limits: limits)
    }
    #expect(try parse(get("Host: a\r\nB: 1\r\nC: 1\r\n"), limits: limits) != nil)
    #expect(throws: RequestFault.fieldsTooLarge) {
      _ = try parse(get("Host: a\r\nB: 1\r\nC: 1\r\nD: 1\r\n"), limits: limits)
    }
    #expect(throws: RequestFault.fieldsTooLarge) {
      _ = try parse(get("Host: a\r\nB: " + String(repeating: "b", count: 200)), bytewise: true, limits: limits)
    }
  }

  @Test("at its very limits is taken also when the CR comes before the LF", arguments: [false, true])
  func limitsBetweenBytes(bytewise: Bool) throws {
    var limits = RequestLimits()
    limits.requestLine = "GET / HTTP/1.1".utf8.count
    limits.fieldBlock = "Host: a\r\n".utf8.count
    #expect(try parse(get("Host: a\r\n"), bytewise: bytewise, limits: limits) != nil)
    #expect(throws: RequestFault.lineTooLong) {
      _ = try parse(get("Host: a\r\n", target: "/a"), bytewise: bytewise, limits: limits)
    }
    #expect(throws: RequestFault.lineTooLong) {
      _ = try parse("GET /a HTTP/1.1\n", bytewise: bytewise, limits: limits)
    }
    #expect(throws: RequestFault.fieldsTooLarge) {
      _ = try parse(get("Host: ab\r\n"), bytewise: bytewise, limits: limits)
    }
  }

  @Test("in absolute form names host and scheme")
  func absoluteForm() throws {
    let head = try #require(try parse(get("Host: other\r\n", target: "HTTP://Shop.test:1/main?x")))
    #expect(head.targetScheme == .http)
    #expect(head.authority == Array("Shop.test:1".utf8))
    #expect(head.path == Array("/main".utf8))
    #expect(try parse("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")?.isAsterisk == true)
  }

  @Test("leaves the bytes of the next one alone")
  func pipelining() throws {
    let limits = RequestLimits()
    let storage = HeadStorage(limits: limits)
    let bytes = Array("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\nGET".utf8)
    _ = storage.fill { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
    var paths: [[UInt8]] = []
    for _ in 0..<2 {
      var parser = RequestParser(limits: limits)
      if case .head(let head) = try parser.parse(storage) { paths.append(head.path) }
    }
    #expect(paths == [Array("/1".utf8), Array("/2".utf8)])
    #expect(storage.take(upTo: 100) == Array("GET".utf8))
  }

  @Test("looks at every byte of a field value, wherever it stands", arguments: UInt8.min...UInt8.max)
  func fieldText(byte: UInt8) {
    for length in 1...20 {
      for place in 0..<length {
        var value = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        value[place] = byte
        #expect(value.span.isFieldText == byte.isFieldCharacter, "at \(place) of \(length)")
        // A tab, which may stand there, must not hide what may not.
        if place > 0 {
          value[place - 1] = UInt8(ascii: "\t")
          #expect(value.span.isFieldText == byte.isFieldCharacter, "behind a tab at \(place) of \(length)")
        }
      }
    }
  }

  @Test("knows its token characters as RFC 9110 lists them")
  func tokenSet() {
    let expected = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    for byte in UInt8.min...UInt8.max { #expect(byte.isTokenCharacter == expected.contains(byte), "\(byte)") }
  }
}
