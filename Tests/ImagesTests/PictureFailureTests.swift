import Client
import HTTP
import Net
import OriginScripts
import Testing

@testable import Images

/// One row of images.md, section 4, with nothing stored.
struct FailureRow: Sendable, CustomTestStringConvertible {
  let name: String
  let status: UInt16
  let code: String
  var retryAfter: Int?
  let script: ScriptedOrigin.Script

  var testDescription: String { name }

  static func answer(
    _ name: String, _ status: UInt16, _ code: String, retryAfter: Int? = nil, _ text: String
  ) -> FailureRow {
    FailureRow(name: name, status: status, code: code, retryAfter: retryAfter) { request in
      request.send(text)
      request.close()
    }
  }

  static func body(_ name: String, _ status: UInt16, _ code: String, type: String, _ body: String) -> FailureRow {
    FailureRow(name: name, status: status, code: code) { $0.answer(200, type: type, Array(body.utf8)) }
  }

  // Made before anybody waits for it.
  private static let large = jpeg(2_000_001)

  static let rows: [FailureRow] = [
    FailureRow(name: "silence", status: 504, code: "origin-timeout") { $0.waitForClose() },
    FailureRow(name: "a trickle", status: 504, code: "origin-timeout") { request in
      request.send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
      while request.send([0xFF]) { request.sleep(milliseconds: 30) }
    },
    answer("closed without an answer", 502, "origin-unreachable", ""),
    answer("500", 502, "origin-error", "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n"),
    answer("503 alone", 502, "origin-error", "HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "503 with Retry-After", 503, "origin-busy", retryAfter: 7,
      "HTTP/1.1 503 X\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "429 with a long Retry-After", 503, "origin-busy", retryAfter: 300,
      "HTTP/1.1 429 X\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "503 until a date that is past", 503, "origin-busy", retryAfter: 1,
      "HTTP/1.1 503 X\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n"),
    answer("429 alone", 502, "origin-error", "HTTP/1.1 429 X\r\nContent-Length: 0\r\n\r\n"),
    answer("404", 404, "picture-not-found", "HTTP/1.1 404 X\r\nContent-Length: 2\r\n\r\nno"),
    answer("410", 410, "picture-gone", "HTTP/1.1 410 X\r\nContent-Length: 0\r\n\r\n"),
    answer("401", 502, "origin-error", "HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n"),
    answer("403", 502, "origin-error", "HTTP/1.1 403 X\r\nContent-Length: 0\r\n\r\n"),
    answer("304 unasked", 502, "origin-error", "HTTP/1.1 304 X\r\n\r\n"),
    answer("a redirect to a file", 502, "origin-error", "HTTP/1.1 302 X\r\nLocation: file:///etc/passwd\r\n\r\n"),
    answer(
      "a redirect to itself", 502, "origin-error", "HTTP/1.1 302 X\r\nLocation: /a.jpg\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a redirect to an inner address", 502, "origin-unreachable",
      "HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
    body("HTML", 502, "origin-error", type: "image/jpeg", "<!doctype html><p>No"),
    body("JSON", 502, "origin-error", type: "image/jpeg", "{\"error\":\"no\"}"),
    body("nothing", 502, "origin-error", type: "image/jpeg", ""),
    body("unknown bytes", 502, "origin-error", type: "image/jpeg", "\u{1}\u{2}\u{3}"),
    body("SVG", 415, "picture-unsupported", type: "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    answer("204", 502, "origin-error", "HTTP/1.1 204 X\r\n\r\n"),
    FailureRow(name: "a body that ends early", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".utf8) + jpeg(3_000))
      request.close()
    },
    FailureRow(name: "a bad chunk", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nbb8\r\n".utf8) + jpeg(3_000))
      request.send("\r\n-1\r\n")
    },
    FailureRow(name: "two lengths", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n".utf8) + jpeg(9))
    },
    FailureRow(name: "too large", status: 502, code: "picture-too-large") { [large] in $0.answer(200, large) },
    FailureRow(name: "too large, found out on the way", status: 502, code: "picture-too-large") { [large] request in
      request.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + large)
      request.close()
    },
    FailureRow(name: "a part", status: 502, code: "origin-error") { request in
      request.answer(206, fields: ["Content-Range: bytes 0-99/200"], jpeg(100))
    },
    FailureRow(name: "gzip that is none", status: 502, code: "origin-error") { request in
      request.answer(200, fields: ["Content-Encoding: gzip"], jpeg(100))
    },
    FailureRow(name: "gzip that ends early", status: 502, code: "origin-error") { request in
      request.answer(200, fields: ["Content-Encoding: gzip"], Array(Coded.gzip(jpeg(3_000)).dropLast(9)))
    },
    FailureRow(name: "a gzip bomb", status: 502, code: "picture-too-large") { request in
      let zeros = Coded.gzip([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 2_000_000))
      request.answer(200, fields: ["Content-Encoding: gzip"], zeros)
    },
    FailureRow(name: "a coding that is not known", status: 502, code: "origin-error") { request in
      request.answer(200, fields: ["Content-Encoding: br"], jpeg(100))
    },
    FailureRow(name: "a length and chunks", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    },
    FailureRow(name: "a length that is no number", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 200 OK\r\nContent-Length: +9\r\n\r\n")
    },
    FailureRow(name: "chunks without an end", status: 504, code: "origin-timeout") { request in
      request.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n")
      request.send([0xFF, 0xD8, 0xFF, 0xE0])
      request.send("\r\n")
      request.waitForClose()
    },
    FailureRow(name: "chunks that go on for ever", status: 502, code: "picture-too-large") { request in
      let chunk = Array("c350\r\n".utf8) + [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 49_997) + [13, 10]
      request.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while request.send(chunk) {}
    },
    FailureRow(name: "a reset in the middle", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".utf8) + jpeg(3_000))
      request.sleep(milliseconds: 20)
      request.reset()
    },
    FailureRow(name: "interim answers without end", status: 502, code: "origin-error") { request in
      while request.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
    },
    FailureRow(name: "another protocol", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
    },
    FailureRow(name: "a head without end", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 200 OK\r\n")
      while request.send("X: \(String(repeating: "x", count: 1_000))\r\n") {}
    },
    FailureRow(name: "HTTP/0.9", status: 502, code: "origin-error") { request in
      request.send(jpeg(5_000))
      request.close()
    },
    answer(
      "a redirect to itself with a query", 502, "origin-error",
      "HTTP/1.1 302 X\r\nLocation: /a.jpg?\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a redirect to an IPv4 address within IPv6", 502, "origin-unreachable",
      "HTTP/1.1 302 X\r\nLocation: http://[::ffff:127.0.0.1]:1/\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a redirect to a number", 502, "origin-error",
      "HTTP/1.1 302 X\r\nLocation: http://2130706433/\r\nContent-Length: 0\r\n\r\n"),
    answer("a redirect to nowhere", 502, "origin-error", "HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a part of a part", 502, "origin-error",
      "HTTP/1.1 206 X\r\nContent-Range: bytes */3\r\nContent-Length: 3\r\n\r\n\u{7F}"),
  ]

  /// The limits under which the rows are run: a body's, and where slowness is the fault, the times.
  func narrow(_ limits: inout FetchLimits) {
    limits.bodyBytes = 2_000_000
    guard status == 504 else { return }
    limits.firstByteMilliseconds = 200
    limits.rateMilliseconds = 200
  }
}

@Suite struct PictureFailureTests {
  @Test("Each way in which an origin fails has its answer, and nothing is stored", arguments: FailureRow.rows)
  func rows(_ row: FailureRow) async throws {
    let origin = try ScriptedOrigin { row.script($0) }
    try await withFixture { fixture in
      let failure = try await fixture.withLibrary(
        origin.base,
        { row.narrow(&$0.limits) }
      ) { await $0.picture("a.jpg").failure }
      #expect(failure?.status.code == row.status)
      #expect(failure?.code == row.code)
      #expect(failure?.retryAfter == row.retryAfter)
      // The operator reads which origin it was, a client does not.
      // That an origin wants to be left alone is news of its own.
      #expect(fixture.lines.count == (row.retryAfter == nil ? 1 : 2))
      #expect(fixture.lines.first?.contains(origin.base) == true)
      #expect(failure?.description.contains("127.0.0.1") == false)
      let files = fixture.folder.files()
      #expect(!files.contains { $0.hasPrefix("cache/objects/") || $0.hasPrefix("cache/tmp/") })
    }
  }

  @Test("What is stored is served whatever the origin does, and stays", arguments: FailureRow.rows)
  func storedRows(_ row: FailureRow) async throws {
    let (picture, clock, count) = (jpeg(3_000, seed: 7), TestClock(), Counter())
    let origin = try ScriptedOrigin { request in
      if count.next() == 1 { request.answer(200, fields: ["ETag: \"a\""], picture) } else { row.script(request) }
    }
    try await withFixture { fixture in
      let configure: (inout PictureLibrary.Configuration) -> Void = {
        row.narrow(&$0.limits)
        $0.now = { clock.now }
      }
      try await fixture.withLibrary(origin.base, configure) { library in
        _ = try await library.picture("a.jpg").get()
        clock.move(days: 60)
        let first = try await library.picture("a.jpg").get()
        #expect(first.cacheStatus == .revalidating)
        var last = first
        // A 304 is what was asked for here; all else fails, and says why.
        let expected: Response.CacheStatus = row.name.hasPrefix("304") ? .hit : .stale(detail: row.code)
        for _ in 0..<2_000 where last.cacheStatus != expected {
          try await Task.sleep(nanoseconds: 5_000_000)
          last = try await library.picture("a.jpg", known: Digest.of(picture)).get()
        }
        #expect(last.cacheStatus == expected)
        #expect(await last.bytes == picture)
      }
      // Nothing has failed for good, nothing is left behind, and the picture is there after a restart with nobody to ask.
      #expect(fixture.findings.allSatisfy { $0.outcome == .bytes(Digest.of(picture), .jpeg, count: 3_000) })
      origin.stop()
      try await fixture.withLibrary(origin.base, configure) { library in
        let kept = try await library.picture("a.jpg").get()
        #expect(await kept.bytes == picture)
      }
      let files = fixture.folder.files()
      #expect(files.filter { $0.hasPrefix("cache/objects/") }.count == 1)
      #expect(!files.contains { $0.hasPrefix("cache/tmp/") })
    }
  }

  @Test(
    "A host without an address, nobody at the port, a certificate that does not hold: stored pictures are served all the same"
  )
  func unreachable() async throws {
    let picture = jpeg(3_000)
    let clock = TestClock()
    let closed = try ScriptedOrigin { $0.answer(200, picture) }
    let secure = try SecureOrigin(names: "DNS:other.example", answers: [:])
    try await withFixture { fixture in
      try await fixture.withLibrary(closed.base, { $0.now = { clock.now } }) { _ = await $0.picture("a.jpg") }
      closed.stop()
      clock.move(days: 60)
      let bases = [
        (closed.base, nil), ("http://no-such-host.invalid", nil), ("https://localhost:\(secure.port)", nil),
        // Trusted, and of another name.
        ("https://localhost:\(secure.port)", secure.authority),
      ]
      for (base, authority) in bases {
        let configure: (inout PictureLibrary.Configuration) -> Void = {
          $0.now = { clock.now }
          $0.authorities = authority
        }
        try await fixture.withLibrary(base, configure) { library in
          let missing = await library.picture("b.jpg").failure
          #expect(missing?.status.code == 502)
          #expect(missing?.code == "origin-unreachable")
          var stored = try await library.picture("a.jpg").get()
          for _ in 0..<2_000 where stored.cacheStatus == .revalidating {
            try await Task.sleep(nanoseconds: 5_000_000)
            stored = try await library.picture("a.jpg").get()
          }
          #expect(stored.cacheStatus == .stale(detail: "origin-unreachable"))
          #expect(await stored.bytes == picture)
        }
      }
    }
  }

  @Test(
    "What is odd and does no harm is taken",
    arguments: [
      "Vary: *", "Vary: Cookie", "Content-Type: text/plain", "Content-Type: text/html", "Content-Type: ", "Age: x",
      "Date: Thu, 01 Jan 1970 00:00:00 GMT", "Expires: Thu, 01 Jan 2099 00:00:00 GMT",
      "Set-Cookie: a=b", "Cache-Control: max-age=5, max-age=6, public, no-cache", "Content-Encoding: identity",
    ])
  func oddities(_ field: String) async throws {
    let origin = try ScriptedOrigin { request in
      // An interim answer stands before it.
      request.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
      let head = "HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 3000\r\n\r\n"
      // Bytes behind the stated end belong to no picture.
      request.send(Array(head.utf8) + jpeg(3_000) + [1, 2, 3])
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base) { library in
        let fetched = try await library.picture("a.jpg").get()
        let found = try await library.picture("a.jpg").get()
        #expect(fetched.digest == Digest.of(jpeg(3_000)))
        #expect(found.cacheStatus == .hit)
      }
    }
  }

  @Test("A part that is the whole, and a type that is not the bytes', are taken")
  func tolerated() async throws {
    let origin = try ScriptedOrigin { request in
      request.answer(206, type: "text/html", fields: ["Content-Range: bytes 0-99/100"], jpeg(100))
    }
    try await withFixture { fixture in
      let picture = try await fixture.withLibrary(origin.base) { try await $0.picture("a.jpg").get() }
      #expect(picture.format == .jpeg)
    }
  }

  @Test("SVG is served where it is allowed")
  func svg() async throws {
    let origin = try ScriptedOrigin { $0.answer(200, Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) }
    try await withFixture { fixture in
      let picture = try await fixture.withLibrary(origin.base, { $0.allowsSVG = true }) {
        try await $0.picture("a.svg").get()
      }
      #expect(picture.format == .svg)
    }
  }

  @Test(
    "A reference that is no URL fails without a request",
    arguments: ["ftp://a/b.jpg", "http://user@a/b.jpg", "http://"])
  func references(_ reference: String) async throws {
    try await withFixture { fixture in
      let failure = try await fixture.withLibrary { await $0.picture(reference).failure }
      #expect(failure?.status.code == 502)
      #expect(failure?.code == "origin-unreachable")
    }
  }

  @Test("An origin that the operator did not allow is not spoken to on an inner address, unless he allows it")
  func allowing() async throws {
    let base = try ScriptedOrigin { $0.answer(200, jpeg(100)) }
    let other = try ScriptedOrigin { $0.answer(200, jpeg(100)) }
    try await withFixture { fixture in
      let failure = try await fixture.withLibrary(base.base) { await $0.picture(other.base + "/a.jpg").failure }
      #expect(failure?.code == "origin-unreachable")
      #expect(other.connections == 0)
    }
    try await withFixture { fixture in
      let allowed = try Origin(Array(other.base.utf8))
      _ = try await fixture.withLibrary(base.base, { $0.allowedOrigins = [allowed] }) {
        try await $0.picture(other.base + "/a.jpg").get()
      }
    }
  }

  @Test("A failure is remembered for a while, so that a missing picture is not asked for again and again")
  func memory() async throws {
    let origin = try ScriptedOrigin { $0.answer(404, []) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base) { library in
        for _ in 0..<5 { #expect(await library.picture("a.jpg").failure == .notFound) }
      }
      #expect(origin.targets.count == 1)
      #expect(fixture.findings.map(\.outcome) == [.failedForGood(.notFound)])
    }
  }

  @Test(
    "How long depends on the failure",
    arguments: [
      (PictureFailure.unreachable(""), 5_000), (.timedOut(""), 5_000), (.broken(""), 5_000), (.notFound, 60_000),
      (.gone, 60_000), (.notAPicture(""), 60_000), (.unsupported(.svg), 60_000), (.tooLarge(limit: 1), 600_000),
      (.busy(retryAfter: 30), 30_000), (.offline, 0), (.overloaded, 0),
    ] as [(PictureFailure, Int)])
  func durations(_ failure: PictureFailure, _ milliseconds: Int) throws {
    let clock = Counter()
    let memory = FailureMemory { Int64(clock.value) }
    let key = SourceKey(reference: Array("a.jpg".utf8))
    memory.note(failure, of: key)
    #expect(memory.failure(of: key) == (milliseconds > 0 ? failure : nil))
    for _ in 0..<max(0, milliseconds - 1) { clock.next() }
    #expect(memory.failure(of: key) == (milliseconds > 0 ? failure : nil))
    clock.next()
    #expect(memory.failure(of: key) == nil)
  }
}
