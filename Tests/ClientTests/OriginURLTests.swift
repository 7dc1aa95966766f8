import Testing

@testable import Client

private func url(_ text: String) throws -> String { try OriginURL(Array(text.utf8)).description }

@Suite struct OriginURLTests {
  @Test(
    "A URL is made canonical, and nothing else is done to it",
    arguments: [
      ("http://shop.example", "http://shop.example/"),
      ("HTTP://Shop.EXAMPLE/Path", "http://shop.example/Path"),
      ("http://shop.example:80/", "http://shop.example/"),
      ("https://shop.example:443/", "https://shop.example/"),
      ("https://shop.example:80/", "https://shop.example:80/"),
      ("http://shop.example:0008080/a", "http://shop.example:8080/a"),
      ("http://shop.example:/a", "http://shop.example/a"),
      ("http://shop.example/a#b", "http://shop.example/a"),
      ("http://shop.example#b", "http://shop.example/"),
      ("http://shop.example?a=1", "http://shop.example/?a=1"),
      ("http://shop.example/a?b#c?d", "http://shop.example/a?b"),
      ("http://shop.example/?", "http://shop.example/?"),
      // Object stores: a plus is a plus, a double slash is two, dots are names.
      ("http://shop.example/a+b%20c d", "http://shop.example/a+b%20c%20d"),
      ("http://shop.example//a//", "http://shop.example//a//"),
      ("http://shop.example/a/../b/./c", "http://shop.example/a/../b/./c"),
      ("http://shop.example/?b=2&a=1", "http://shop.example/?b=2&a=1"),
      ("http://shop.example/%e1%84%8B%7e", "http://shop.example/%E1%84%8B%7E"),
      ("http://shop.example/100%/%zz%4", "http://shop.example/100%/%zz%4"),
      ("http://shop.example/%%41", "http://shop.example/%%41"),
      ("http://shop.example/갈비", "http://shop.example/%EA%B0%88%EB%B9%84"),
      ("http://shop.example/\u{1100}\u{1161}\u{11AF}", "http://shop.example/%E1%84%80%E1%85%A1%E1%86%AF"),
      ("http://shop.example/a?q=갈 비", "http://shop.example/a?q=%EA%B0%88%20%EB%B9%84"),
      ("http://shop.example/\"<>\\^`{|}[]'", "http://shop.example/\"<>\\^`{|}[]'"),
      ("http://127.0.0.1:8081/x", "http://127.0.0.1:8081/x"),
      ("http://[2001:DB8::1]:8081/x", "http://[2001:db8::1]:8081/x"),
      ("http://[::1]/x", "http://[::1]/x"),
      ("http://xn--9n2bp8q.example./x", "http://xn--9n2bp8q.example./x"),
      ("http://a_b.example/x", "http://a_b.example/x"),
    ])
  func canonical(_ text: String, _ expected: String) throws {
    #expect(try url(text) == expected)
    #expect(try url(expected) == expected)
  }

  @Test("Composed and decomposed Hangul are two URLs")
  func hangulForms() throws {
    let composed = try OriginURL(Array("http://shop.example/갈".utf8))
    let decomposed = try OriginURL(Array("http://shop.example/\u{1100}\u{1161}\u{11AF}".utf8))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test("Bytes that are no UTF-8 are escaped one by one")
  func invalidUTF8() throws {
    #expect(try OriginURL(Array("http://a.example/".utf8) + [0xFF, 0xC0]).description == "http://a.example/%FF%C0")
  }

  @Test(
    "What is no URL to fetch from says why",
    arguments: [
      ("", URLFault.relative), ("images/galbi.jpg", .relative), ("/images/galbi.jpg", .relative),
      ("//a.example/", .relative),
      ("갈비:1.jpg", .relative), ("1http://a.example/", .relative),
      ("ftp://a.example/", .scheme("ftp")), ("file:///etc/passwd", .scheme("file")),
      ("data:image/png,x", .scheme("data")),
      ("http:a.example", .host("")), ("http:///a", .host("")), ("http://", .host("")), ("http://:80/", .host("")),
      ("http://user@a.example/", .userInformation), ("http://user:secret@a.example/", .userInformation),
      ("http://a.example:80@127.0.0.1/", .userInformation),
      ("http://갈비.example/", .host("갈비.example")), ("http://a%2Eexample/", .host("a%2eexample")),
      ("http://a b/", .host("a b")), ("http://a..example/", .host("a..example")), ("http://./", .host(".")),
      ("http://127.1/", .host("127.1")), ("http://2130706433/", .host("2130706433")),
      ("http://0x7f.1/", .host("0x7f.1")),
      ("http://0x7f000001/", .host("0x7f000001")), ("http://0177.0.0.1/", .host("0177.0.0.1")),
      ("http://1.2.3.4.5/", .host("1.2.3.4.5")), ("http://256.1.1.1/", .host("256.1.1.1")),
      ("http://[::1/", .host("[")), ("http://[::1%25eth0]/", .host("[::1%25eth0]")),
      ("http://[1.2.3.4]/", .host("[1.2.3.4]")), ("http://[::1\u{0}\r\na: b]/", .host("[::1\u{0}\r\na: b]")),
      ("http://[]/", .host("[]")), ("http://a.example:0/", .port("0")), ("http://a.example:65536/", .port("65536")),
      ("http://a.example:8x/", .port("8x")), ("http://a.example:+80/", .port("+80")),
      ("http://a.example:99999999999999999999/", .port("99999999999999999999")), ("http://[::1]80/", .port("0")),
      ("http://a.example/a\r\nHost: b", .controlCharacter(offset: 18)),
      ("http://a.example/\t", .controlCharacter(offset: 17)),
      ("http://a.example/\u{7F}", .controlCharacter(offset: 17)),
    ])
  func refused(_ text: String, _ fault: URLFault) { #expect(throws: fault) { try OriginURL(Array(text.utf8)) } }

  @Test("A URL is at most 8,000 bytes long, once escaped")
  func length() throws {
    let start = "http://a.example/"
    let fits = start + String(repeating: "a", count: 8000 - start.utf8.count)
    #expect(try url(fits).utf8.count == 8000)
    #expect(throws: URLFault.tooLong) { try url(fits + "a") }
    #expect(throws: URLFault.tooLong) { try url(start + String(repeating: "갈", count: 1000)) }
  }

  @Test(
    "A reference is taken from the base as from a folder",
    arguments: [
      ("http://o.example/seed", "images/galbi.jpg", "http://o.example/seed/images/galbi.jpg"),
      ("http://o.example/seed/", "images/galbi.jpg", "http://o.example/seed/images/galbi.jpg"),
      ("http://o.example", "images/갈 비+1.jpg?v=2", "http://o.example/images/%EA%B0%88%20%EB%B9%84+1.jpg?v=2"),
      ("http://o.example/a?x=1", "b.jpg", "http://o.example/a/b.jpg"),
      ("http://o.example/seed", "./b.jpg", "http://o.example/seed/b.jpg"),
      ("http://o.example/seed", "../b.jpg", "http://o.example/b.jpg"),
      ("http://o.example/seed", "../../../b.jpg", "http://o.example/b.jpg"),
      ("http://o.example/seed", "/b.jpg", "http://o.example/b.jpg"),
      ("http://o.example/seed", "https://cdn.example/../b.jpg", "https://cdn.example/../b.jpg"),
    ])
  func references(_ base: String, _ reference: String, _ expected: String) throws {
    let base = try OriginURL(Array(base.utf8))
    #expect(try OriginURL.resolving(reference: Array(reference.utf8), in: base).description == expected)
  }

  @Test("A relative reference without a base, and another scheme with one, are faults")
  func unresolvable() throws {
    let base = try OriginURL(Array("http://o.example/".utf8))
    #expect(throws: URLFault.relative) { try OriginURL.resolving(reference: Array("a.jpg".utf8), in: nil) }
    #expect(throws: URLFault.scheme("file")) { try OriginURL.resolving(reference: Array("file:///a".utf8), in: base) }
  }

  // RFC 3986, section 5.4, less what names no host.
  @Test(
    "A redirect's Location is resolved as RFC 3986 says",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
      ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
      ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://B:443/x", "https://b/x"),
    ])
  func locations(_ location: String, _ expected: String) throws {
    let base = try OriginURL(Array("http://a/b/c/d;p?q".utf8))
    #expect(try base.resolving(Array(location.utf8)).description == expected)
  }

  @Test("An origin is what an operator writes, with its own port or the scheme's")
  func origins() throws {
    #expect(try Origin(Array("HTTP://LocalHost:8081".utf8)).description == "http://localhost:8081")
    #expect(try Origin(Array("https://cdn.example".utf8)).port == 443)
    #expect(try Origin(Array("https://cdn.example/".utf8)) == OriginURL(Array("https://CDN.example:443/a".utf8)).origin)
    #expect(throws: URLFault.notAnOrigin) { try Origin(Array("https://cdn.example/a".utf8)) }
    #expect(try Origin(Array("https://[::1]:8443".utf8)).serverName == "::1")
    #expect(try Origin(Array("https://cdn.example.".utf8)).serverName == "cdn.example")
  }
}
