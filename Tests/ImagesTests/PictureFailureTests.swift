import Client
import HTTP
import Net
import OriginScripts
import Testing

@testable import Images

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
    "An origin that no connection stands to has its answer, and stored pictures are served all the same",
    arguments: UnreachableRow.rows)
  func unreachable(_ row: UnreachableRow) async throws {
    let (picture, clock) = (jpeg(3_000), TestClock())
    let former = try ScriptedOrigin { $0.answer(200, picture) }
    try await withFixture { fixture in
      try await fixture.withLibrary(former.base, { $0.now = { clock.now } }) { _ = await $0.picture("a.jpg") }
      clock.move(days: 60)
      let place = try row.open(former)
      let configure: (inout PictureLibrary.Configuration) -> Void = {
        $0.now = { clock.now }
        $0.authorities = place.authority
        if row.status == 504 { $0.limits.connectMilliseconds = 200 }
      }
      try await fixture.withLibrary(place.base, configure) { library in
        let missing = await library.picture("b.jpg").failure
        #expect(missing?.status.code == row.status)
        #expect(missing?.code == row.code)
        var stored = try await library.picture("a.jpg").get()
        for _ in 0..<2_000 where stored.cacheStatus == .revalidating {
          try await Task.sleep(nanoseconds: 5_000_000)
          stored = try await library.picture("a.jpg").get()
        }
        #expect(stored.cacheStatus == .stale(detail: row.code))
        #expect(await stored.bytes == picture)
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
      request.send(Array("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 3000\r\n\r\n".utf8) + jpeg(3_000))
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

  @Test("What leads to a picture in a roundabout way is taken and kept under its first name", arguments: TakenRow.rows)
  func taken(_ row: TakenRow) async throws {
    let picture = jpeg(3_000)
    let origin = try ScriptedOrigin { row.script($0, picture) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base) { library in
        let fetched = try await library.picture("a.jpg").get()
        #expect(fetched.format == .jpeg && fetched.digest == Digest.of(picture))
        #expect(try await library.picture("a.jpg").get().cacheStatus == .hit)
      }
      origin.stop()
      try await fixture.withLibrary(origin.base) { library in
        let kept = try await library.picture("a.jpg").get()
        #expect(await kept.bytes == picture)
      }
    }
  }

  @Test("The same in place of what is stored", arguments: TakenRow.rows)
  func takenOverStored(_ row: TakenRow) async throws {
    let (old, new, clock, count) = (jpeg(3_000, seed: 1), jpeg(3_000, seed: 2), TestClock(), Counter())
    let origin = try ScriptedOrigin { request in
      if count.next() == 1 { request.answer(200, old) } else { row.script(request, new) }
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        _ = try await library.picture("a.jpg").get()
        clock.move(days: 2)
        var picture = try await library.picture("a.jpg").get()
        #expect(picture.cacheStatus == .revalidating && picture.digest == Digest.of(old))
        for _ in 0..<2_000 where picture.cacheStatus != .hit {
          try await Task.sleep(nanoseconds: 5_000_000)
          picture = try await library.picture("a.jpg").get()
        }
        #expect(picture.digest == Digest.of(new))
        #expect(await picture.bytes == new)
      }
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
