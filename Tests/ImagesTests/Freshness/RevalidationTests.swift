import Client
import Glibc
import HTTP
import Net
import OriginScripts
import Synchronization
import Testing

@testable import Images

@Suite struct RevalidationTests {
  private let tags = ["ETag: \"one\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]
  private let clock = TestClock()

  /// Asks until the answer's status is `status`; what it was at last.
  private func settled(
    _ library: PictureLibrary, _ status: Response.CacheStatus, known: Digest? = nil
  ) async throws -> StoredPicture {
    for _ in 0..<2_000 {
      let picture = try await library.picture("a.jpg", known: known).get()
      if picture.cacheStatus == status { return picture }
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    return try await library.picture("a.jpg", known: known).get()
  }

  @Test("A stale picture is served at once to everybody, while one request asks whether it still holds")
  func confirmed() async throws {
    let (bytes, door) = (jpeg(20_000), Counter())
    let origin = try ScriptedOrigin { [tags] request in
      guard request.head.contains("If-None-Match: \"one\"\r\n") else {
        return request.answer(200, fields: tags + ["Cache-Control: max-age=7200"], bytes)
      }
      while door.value == 0 { request.sleep(milliseconds: 1) }
      request.send("HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\n\r\n")
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        let first = try await library.picture("a.jpg").get()
        #expect(first.reusableUntil == nil)
        let hit = try await library.picture("a.jpg").get()
        #expect(hit.cacheStatus == .hit)
        #expect(hit.reusableUntil == clock.now + 7_200)
        #expect(hit.freshness == Response.Freshness(storedAt: clock.now, lifetime: 7_200))
        clock.move(days: 1)
        for _ in 0..<20 {
          let stale = try await library.picture("a.jpg").get()
          #expect(stale.cacheStatus == .revalidating)
          #expect(await stale.bytes == bytes)
          #expect(stale.freshness.lifetime == 7_200)
        }
        door.next()
        let confirmed = try await settled(library, .hit)
        #expect(confirmed.freshness == Response.Freshness(storedAt: clock.now, lifetime: 7_200))
        #expect(confirmed.fetchedAt == first.fetchedAt)
        #expect(await confirmed.bytes == bytes)
      }
      #expect(origin.targets.count == 2)
      #expect(origin.heads.last?.contains("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n") == true)
      #expect(origin.heads.first?.contains("If-") == false)
      #expect(fixture.lines.isEmpty)
      // What the origin said is there after a restart.
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        let found = try await library.picture("a.jpg").get()
        #expect(found.cacheStatus == .hit)
      }
      #expect(origin.targets.count == 2)
    }
  }

  @Test(
    "A picture that has changed takes the old one's place, and the catalog is told; the old bytes leave no file behind their name"
  )
  func changed() async throws {
    let (old, new) = (jpeg(3_000, seed: 1), jpeg(4_000, seed: 2))
    let count = Counter()
    let origin = try ScriptedOrigin { [tags] request in
      if count.next() == 1 { request.answer(200, fields: tags, old) } else { request.answer(200, new) }
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        _ = try await library.picture("a.jpg").get()
        clock.move(days: 2)
        let known = Digest.of(old)
        let stale = try await library.picture("a.jpg", known: known).get()
        #expect(stale.digest == known)
        let renewed = try await settled(library, .hit, known: known)
        #expect(renewed.digest == Digest.of(new))
        #expect(renewed.freshness.storedAt == clock.now)
        #expect(fixture.findings.last?.outcome == .bytes(Digest.of(new), .jpeg, count: 4_000))
        // Its validators went with it.
        clock.move(days: 2)
        _ = try await library.picture("a.jpg").get()
        #expect(await eventually { origin.targets.count == 3 })
        #expect(origin.heads.last?.contains("If-") == false)
      }
    }
  }

  @Test("A 304 that confirms other bytes, or was not asked for, is followed by a request without a condition")
  func wrongConfirmation() async throws {
    let (old, new) = (jpeg(3_000, seed: 1), jpeg(3_000, seed: 2))
    let count = Counter()
    let origin = try ScriptedOrigin { [tags] request in
      switch count.next() {
      case 1: request.answer(200, fields: tags, old)
      case 2: request.send("HTTP/1.1 304 X\r\nETag: \"two\"\r\n\r\n")
      case 3: request.answer(200, new)
      case 4: request.send("HTTP/1.1 304 X\r\n\r\n")
      default: request.answer(200, old)
      }
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        _ = try await library.picture("a.jpg").get()
        clock.move(days: 2)
        _ = try await library.picture("a.jpg").get()
        #expect(try await settled(library, .hit).digest == Digest.of(new))
        #expect(try await library.picture("b.jpg").get().digest == Digest.of(old))
      }
      #expect(count.value == 5)
      #expect(origin.heads.filter { $0.contains("If-") }.count == 1)
    }
  }

  @Test("A picture whose stored bytes were lost is fetched without a condition")
  func lost() async throws {
    let origin = try ScriptedOrigin { [tags] in $0.answer(200, fields: tags, jpeg(3_000)) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        let digest = try await library.picture("a.jpg").get().digest.hex
        #expect(unlink("\(fixture.cache)/objects/\(digest.prefix(2))/\(digest)") == 0)
        #expect(try await library.picture("a.jpg").get().cacheStatus != .hit)
      }
      #expect(origin.heads.count == 2)
      #expect(origin.heads.last?.contains("If-") == false)
    }
  }

  @Test("An entity tag of ten kilobytes is not sent back; the date is")
  func longTag() async throws {
    let origin = try ScriptedOrigin { [tags] request in
      request.answer(200, fields: ["ETag: \"\(String(repeating: "x", count: 10_000))\"", tags[1]], jpeg(3_000))
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        _ = try await library.picture("a.jpg").get()
        clock.move(days: 2)
        _ = try await library.picture("a.jpg").get()
        #expect(try await settled(library, .hit).digest == Digest.of(jpeg(3_000)))
      }
      #expect(origin.heads.last?.contains("If-None-Match") == false)
      #expect(origin.heads.last?.contains("If-Modified-Since") == true)
    }
  }

  @Test(
    "What may no longer be stored is passed on from then on, and the copy from before serves while the origin is down")
  func noLongerStored() async throws {
    let count = Counter()
    let origin = try ScriptedOrigin { request in
      let number = UInt64(count.next())
      let control = number == 1 ? "max-age=60" : "no-store"
      request.answer(200, fields: ["Cache-Control: \(control)"], jpeg(3_000, seed: number))
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        _ = try await library.picture("a.jpg").get()
        clock.move(days: 2)
        #expect(try await library.picture("a.jpg").get().cacheStatus == .revalidating)
        let passedOn = Response.CacheStatus.miss(originStatus: 200, isStored: false, isCollapsed: false)
        let second = try await settled(library, passedOn)
        #expect(second.reusableUntil == nil)
        let third = try await library.picture("a.jpg").get()
        #expect(third.digest != second.digest)
        origin.stop()
        let stale = try await library.picture("a.jpg").get()
        #expect(stale.cacheStatus == .stale(detail: "origin-unreachable"))
        #expect(stale.digest == Digest.of(jpeg(3_000, seed: 1)))
      }
    }
  }

  @Test("Offline, what is stale is served as it is, and nothing is asked")
  func offline() async throws {
    let origin = try ScriptedOrigin { $0.answer(200, jpeg(3_000)) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { _ = await $0.picture("a.jpg") }
      clock.move(days: 4_000)
      try await fixture.withLibrary(
        origin.base,
        {
          $0.now = { clock.now }
          $0.isOffline = true
        }
      ) { library in
        let picture = try await library.picture("a.jpg").get()
        #expect(picture.cacheStatus == .hit)
        #expect(picture.freshness.lifetime == 86_400)
      }
      #expect(origin.targets.count == 1)
    }
  }
}
