import Testing

@testable import HTTP

private let tag = EntityTag(strong: Array("abc".utf8))
private let modified = HTTPDate(seconds: 784_111_777)
private let now: Int64 = 1_800_000_000

private func head(_ fields: String, method: String = "GET") throws -> RequestHead {
  try #require(try parse("\(method) / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"))
}

@Suite("Conditions")
struct ConditionTests {
  @Test(
    "are evaluated in the RFC's order",
    arguments: [
      ("", Precondition.holds), ("If-None-Match: \"abc\"\r\n", .notModified),
      ("If-None-Match: W/\"abc\"\r\n", .notModified),
      ("If-None-Match: *\r\n", .notModified), ("If-None-Match: \"x\", W/\"abc\" ,\"y\"\r\n", .notModified),
      ("If-None-Match: \"x\"\r\nIf-None-Match: \"abc\"\r\n", .notModified),
      ("If-None-Match: , ,\"abc\",,\r\n", .notModified),
      // No escape: a tag is no quoted string.
      ("If-None-Match: \"x\\\", \"abc\"\r\n", .notModified),
      ("If-None-Match: \"a,b\", \"abc\"\r\n", .notModified), ("If-None-Match: \"x\"\r\n", .holds),
      ("If-None-Match: abc\r\n", .holds), ("If-None-Match: \"abc\r\n", .holds),
      ("If-None-Match: w/\"abc\"\r\n", .holds),
      ("If-None-Match:\r\n", .holds),
      ("If-None-Match: \"x\"\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n", .holds),
      ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n", .notModified),
      ("If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT\r\n", .holds),
      ("If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT\r\n", .notModified),
      ("If-Modified-Since: Sun Nov  6 08:49:37 1994\r\n", .notModified),
      ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 +0900\r\n", .holds), ("If-Modified-Since: 784111777\r\n", .holds),
      ("If-Match: \"abc\"\r\n", .holds), ("If-Match: *\r\n", .holds), ("If-Match: \"x\"\r\n", .fails),
      ("If-Match: W/\"abc\"\r\n", .fails), ("If-Match: \"abc\"\r\nIf-None-Match: \"abc\"\r\n", .notModified),
      ("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT\r\n", .fails), ("If-Unmodified-Since: x\r\n", .holds),
      ("If-Match: *\r\nIf-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n", .holds),
    ])
  func order(_ fields: String, _ expected: Precondition) throws {
    #expect(Precondition(try head(fields), entityTag: tag, lastModified: modified, now: now) == expected)
  }

  @Test(
    "and ranges: one is answered, several get the whole, none that exists is a 416",
    arguments: [
      ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=0-9", .part(0..<10)), ("bytes=5-", .part(5..<100)),
      ("bytes=-1", .part(99..<100)), ("bytes=-99999999", .part(0..<100)), ("bytes=0-99999999", .part(0..<100)),
      ("BYTES=0-0", .part(0..<1)), ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=5-2", .whole),
      ("bytes=a-b", .whole), ("bytes=", .whole), ("bytes 0-1", .whole), ("0-1", .whole), ("bytes=--1", .whole),
      ("bytes=0x0-0x1", .whole), ("bytes=0.0-1", .whole), ("items=0-1", .whole), ("bytes=0-0,-1", .whole),
      ("bytes=0-0,\"\\", .whole),
      ("bytes=0-0 , 2-2", .whole), ("bytes=0-9223372036854775807", .part(0..<100)),
      ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable),
      ("bytes=-18446744073709551616", .part(0..<100)), ("bytes=99999999999999999999-", .unsatisfiable),
    ])
  func ranges(_ value: String, _ expected: ByteRange) {
    #expect(ByteRange(Array(value.utf8).span, length: 100) == expected)
  }

  @Test("If-Range decides whether a range counts")
  func ifRange() throws {
    func range(_ fields: String, method: String = "GET") throws -> ByteRange {
      Precondition.range(
        try head("Range: bytes=0-0\r\n" + fields, method: method), length: 10, entityTag: tag, lastModified: modified,
        now: now)
    }
    #expect(try range("") == .part(0..<1))
    #expect(try range("If-Range: \"abc\"\r\n") == .part(0..<1))
    #expect(try range("If-Range: W/\"abc\"\r\n") == .whole)
    #expect(try range("If-Range: \"x\"\r\n") == .whole)
    #expect(try range("If-Range: Sun, 06 Nov 1994 08:49:37 GMT\r\n") == .part(0..<1))
    #expect(try range("If-Range: x\r\n") == .whole)
    #expect(try range("Range: bytes=1-1\r\n") == .whole)
    #expect(try range("", method: "HEAD") == .whole)
  }
}

@Suite("Dates")
struct HTTPDateTests {
  @Test("are written and read alike", arguments: [0, 784_111_777, 951_782_400, 4_102_444_799, 253_402_300_799])
  func roundTrip(_ seconds: Int64) {
    let date = HTTPDate(seconds: seconds)
    #expect(date.bytes.count == HTTPDate.length)
    #expect(HTTPDate(date.bytes.span, now: now) == date)
  }

  @Test("look as the RFC has them")
  func examples() {
    #expect(modified.bytes == Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8))
    var stamp: [UInt8] = []
    modified.appendTimestamp(to: &stamp)
    #expect(stamp == Array("1994-11-06T08:49:37Z".utf8))
  }

  @Test(
    "that do not exist or are not of the three forms are none",
    arguments: [
      "", "x", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sat, -1 Jan 2000 00:00:00 GMT",
      "Sun, 06 nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun Nov 06 08:49:37 199",
    ])
  func malformed(_ text: String) {
    #expect(HTTPDate(Array(text.utf8).span, now: now) == nil)
  }
}

@Suite("Negotiation")
struct NegotiationTests {
  @Test(
    "of codings follows the weights",
    arguments: [
      ("gzip", ContentCoding.gzip), ("GZIP", .gzip), ("x-gzip", .gzip), ("*", .gzip), ("", .identity),
      ("br", .identity),
      ("br;q=1.0, gzip;q=0.5, *;q=0", .gzip), ("gzip;q=0", .identity), ("gzip;q=0.000, identity", .identity),
      ("gzip;q=0.2, identity;q=0.9", .identity), ("identity;q=0", nil), ("*;q=0", nil), ("gzip, identity;q=0", .gzip),
      ("identity;q=0, *", .gzip), ("gzip;q=1.001", .identity), ("gzip;q=nan", .identity), ("gzip;q=-1", .identity),
      ("gzip;q=nan, *;q=0x1p3", .identity),
      ("notgzip", .identity), ("gzip ; q=0.5 ,\tbr", .gzip), ("identity;q=0.5, *;q=0", .identity),
    ])
  func codings(_ value: String, _ expected: ContentCoding?) throws {
    let head = try #require(try parse("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(value)\r\n\r\n"))
    #expect(head.acceptedCoding == expected)
  }

  @Test(
    "of languages follows the weights, the first of equals first",
    arguments: [
      ("ko", Language.korean), ("ko-KR,ko;q=0.9,en;q=0.8", .korean), ("en-US,en;q=0.9,ko;q=0.8", .english),
      ("ko, en", .korean), ("en, ko", .english), ("de", .english), ("kok", .english), ("*", .english),
      ("ko;q=0", .english),
    ])
  func languages(_ value: String, _ expected: Language) throws {
    let head = try #require(try parse("GET / HTTP/1.1\r\nHost: a\r\nAccept-Language: \(value)\r\n\r\n"))
    #expect(head.acceptedLanguage == expected)
  }
}
