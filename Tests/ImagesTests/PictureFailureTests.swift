import Client
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
    FailureRow(name: "a coding nobody asked for", status: 502, code: "origin-error") { request in
      request.answer(200, fields: ["Content-Encoding: gzip"], jpeg(100))
    },
  ]
}

@Suite struct PictureFailureTests {
  @Test("Each way in which an origin fails has its answer, and nothing is stored", arguments: FailureRow.rows)
  func rows(_ row: FailureRow) async throws {
    let origin = try ScriptedOrigin { row.script($0) }
    try await withFixture { fixture in
      let failure = try await fixture.withLibrary(
        origin.base,
        {
          $0.limits.bodyBytes = 2_000_000
          if row.status == 504 {
            $0.limits.firstByteMilliseconds = 200
            $0.limits.rateMilliseconds = 200
          }
        }
      ) { await $0.picture("a.jpg").failure }
      #expect(failure?.status.code == row.status)
      #expect(failure?.code == row.code)
      #expect(failure?.retryAfter == row.retryAfter)
      // The operator reads which origin it was, a client does not.
      #expect(fixture.lines.count == 1)
      #expect(fixture.lines.first?.contains(origin.base) == true)
      #expect(failure?.description.contains("127.0.0.1") == false)
      let files = fixture.folder.files()
      #expect(!files.contains { $0.hasPrefix("cache/objects/") || $0.hasPrefix("cache/tmp/") })
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
