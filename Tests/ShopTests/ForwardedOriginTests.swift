import HTTP
import Testing

@testable import Shop

private func origin(_ fields: String) throws -> ForwardedOrigin {
  let text = "GET / HTTP/1.1\r\nHost: inside\r\n\(fields)\r\n\r\n"
  return ForwardedOrigin(try #require(try RequestHead(parsing: Array(text.utf8))))
}

@Suite("What a proxy says of the client's address")
struct ForwardedOriginTests {
  @Test(
    "counts from the last element, whatever the client wrote before it",
    arguments: [
      "Forwarded: for=192.0.2.1;host=shop.test;proto=https",
      "Forwarded: host=evil.test;proto=http, for=192.0.2.1; proto=HTTPS ;Host=\"shop.test\"",
      "Forwarded: host=evil.test;x=\", for=192.0.2.1;host=shop.test;proto=https",
      "Forwarded: host=evil.test;x=\"\\, for=\"a,b\\\"\\\\\";host=shop.test;proto=https",
      "Forwarded: host=evil.test\r\nForwarded: host=shop.test;proto=https",
      "X-Forwarded-Host: \"evil.test, shop.test\r\nX-Forwarded-Proto: http\",https",
    ])
  func lastElement(_ fields: String) throws {
    let origin = try origin(fields)
    #expect(origin.authority == Array("shop.test".utf8))
    #expect(origin.isEncrypted == true)
  }

  @Test("is left alone when it is no host", arguments: ["a/b", "\"\"", "a,b", "u@a", ""])
  func malformed(_ host: String) throws {
    #expect(try origin("Forwarded: host=\"\(host)\"").authority == nil)
  }
}
