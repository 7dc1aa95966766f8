import Client
import Glibc
import HTTP
import Net
import OriginScripts
import Testing

@testable import Images

@Suite struct PictureLibraryTests {
  @Test("A picture is fetched once; then it comes from the disk, across restarts and with the origin stopped")
  func once() async throws {
    try await withFixture { fixture in
      let bytes = jpeg(20_000)
      let origin = try ScriptedOrigin { $0.answer(200, type: "text/plain", bytes) }
      try await fixture.withLibrary(origin.base) { library in
        let first = try await library.picture("images/galbi.jpg").get()
        #expect(first.cacheStatus == .miss(originStatus: 200, isStored: true, isCollapsed: false))
        #expect(first.format == .jpeg)
        #expect(first.digest == Digest.of(bytes))
        #expect(await first.bytes == bytes)
        let second = try await library.picture("images/galbi.jpg").get()
        #expect(second.cacheStatus == .hit)
        #expect(await second.bytes == bytes)
        #expect(second.fetchedAt == first.fetchedAt)
      }
      origin.stop()
      try await fixture.withLibrary(origin.base) { library in
        let third = try await library.picture("images/galbi.jpg").get()
        #expect(third.cacheStatus == .hit)
        #expect(third.format == .jpeg)
        #expect(await third.bytes == bytes)
        #expect(await library.picture("images/other.jpg").failure?.code == "origin-unreachable")
      }
      #expect(origin.targets == ["/images/galbi.jpg"])
      #expect(
        fixture.folder.files() == [
          "cache/index.db", "cache/index.db-journal", "cache/layout-version", "cache/lock",
          "cache/objects/\(Digest.of(bytes).hex.prefix(2))/\(Digest.of(bytes).hex)",
        ])
    }
  }

  @Test("Two hundred clients on one cold picture make one origin request")
  func herd() async throws {
    try await withFixture { fixture in
      let bytes = jpeg(20_000)
      let origin = try ScriptedOrigin { request in
        request.sleep(milliseconds: 100)
        request.answer(200, bytes)
      }
      try await fixture.withLibrary(origin.base) { library in
        let pictures = await withTaskGroup { group in
          for number in 0..<200 {
            // Half of them on the event loop, as connections are, half from elsewhere.
            group.addTask(executorPreference: number.isMultiple(of: 2) ? fixture.loop : nil) {
              try? await library.picture("a.jpg").get()
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pictures.allSatisfy { $0?.digest == Digest.of(bytes) })
        let first = Response.CacheStatus.miss(originStatus: 200, isStored: true, isCollapsed: false)
        // Who comes just as the flight lands may say so, too, of what it finds stored.
        #expect(pictures.contains { $0?.cacheStatus == first })
      }
      #expect(origin.targets.count == 1)
    }
  }

  @Test("When the client that asked first leaves, the others still get their picture")
  func leaving() async throws {
    try await withFixture { fixture in
      let bytes = jpeg(20_000)
      let origin = try ScriptedOrigin { request in
        request.sleep(milliseconds: 100)
        request.answer(200, bytes)
      }
      try await fixture.withLibrary(origin.base) { library in
        let first = Task { await library.picture("a.jpg") }
        #expect(await eventually { origin.targets.count == 1 })
        let second = Task { await library.picture("a.jpg") }
        first.cancel()
        #expect(await second.value.success?.digest == Digest.of(bytes))
      }
      #expect(origin.targets.count == 1)
    }
  }

  @Test("A large picture goes to the disk piece by piece, and is read from there piece by piece")
  func large() async throws {
    try await withFixture { fixture in
      let bytes = jpeg(3_000_000)
      let origin = try ScriptedOrigin { $0.answer(200, bytes) }
      try await fixture.withLibrary(origin.base) { library in
        for _ in 0..<2 {
          let picture = try await library.picture("a.jpg").get()
          #expect(picture.digest == Digest.of(bytes))
          guard case .source(let source) = picture.body else {
            Issue.record("three megabytes in memory")
            return
          }
          #expect(source.count == bytes.count)
          #expect(await source.bytes(1_000_000..<1_000_100) == Array(bytes[1_000_000..<1_000_100]))
          #expect(await picture.bytes == bytes)
        }
      }
      #expect(origin.targets.count == 1)
      #expect(!fixture.folder.files().contains { $0.hasPrefix("cache/tmp/") })
    }
  }

  @Test("The path that is asked for is the reference's, byte for byte")
  func paths() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, jpeg(100, seed: UInt64($0.target.utf8.count))) }
      try await fixture.withLibrary(origin.base + "/seed") { library in
        _ = await library.picture("갈.jpg")
        _ = await library.picture("\u{1100}\u{1161}\u{11AF}.jpg")
        _ = await library.picture("a+b c.jpg")
        _ = await library.picture("a%2bb.jpg")
      }
      #expect(
        origin.targets == [
          "/seed/%EA%B0%88.jpg", "/seed/%E1%84%80%E1%85%A1%E1%86%AF.jpg", "/seed/a+b%20c.jpg", "/seed/a%2Bb.jpg",
        ])
    }
  }

  @Test("What may not be stored is served through, each time anew", arguments: ["no-store", "private, max-age=9"])
  func notStored(_ control: String) async throws {
    try await withFixture { fixture in
      // Made beforehand, so that making it is no slow origin.
      let bytes = jpeg(2_000_000)
      let origin = try ScriptedOrigin { $0.answer(200, fields: ["Cache-Control: \(control)"], bytes) }
      try await fixture.withLibrary(origin.base) { library in
        for _ in 0..<2 {
          let picture = try await library.picture("a.jpg").get()
          #expect(picture.cacheStatus == .miss(originStatus: 200, isStored: false, isCollapsed: false))
          #expect(await picture.bytes == jpeg(2_000_000))
        }
        #expect(library.degradation == nil)
      }
      #expect(origin.targets.count == 2)
      #expect(!fixture.folder.files().contains { $0.hasPrefix("cache/objects/") })
    }
  }

  @Test("Offline, what is stored is served and no origin is contacted")
  func offline() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, jpeg(100)) }
      try await fixture.withLibrary(origin.base) { _ = await $0.picture("a.jpg") }
      try await fixture.withLibrary(origin.base, { $0.isOffline = true }) { library in
        #expect(await library.picture("a.jpg").success?.cacheStatus == .hit)
        #expect(await library.picture("b.jpg").failure == .offline)
      }
      #expect(origin.targets.count == 1)
    }
  }

  @Test("The catalog is told what a picture is, and again when its bytes are other ones")
  func findings() async throws {
    try await withFixture { fixture in
      let count = Counter()
      let origin = try ScriptedOrigin { $0.answer(200, jpeg(100, seed: UInt64(count.next()))) }
      let reference = Array("a.jpg".utf8)
      let id = PictureID(reference: reference)
      let (one, two) = (Digest.of(jpeg(100, seed: 1)), Digest.of(jpeg(100, seed: 2)))
      try await fixture.withLibrary(origin.base) { library in
        _ = await library.picture("a.jpg", known: nil)
        #expect(Set(fixture.findings.map(\.reference)) == [reference])
        #expect(fixture.findings.allSatisfy { $0.id == id && $0.outcome == .bytes(one, .jpeg, count: 100) })
        let told = fixture.findings.count
        #expect(told >= 1)
        // From the disk, as the catalog knows it: nothing to tell.
        _ = await library.picture("a.jpg", known: one)
        #expect(fixture.findings.count == told)
        // From the disk, and the catalog lost what it knew.
        _ = await library.picture("a.jpg", known: nil)
        #expect(fixture.findings.count == told + 1)
      }
      // The cache is deleted, and the origin has another picture by now.
      #expect(Glibc.rename(fixture.cache, fixture.cache + "-old") == 0)
      try await fixture.withLibrary(origin.base) { library in
        #expect(await library.picture("a.jpg", known: one).success?.digest == two)
      }
      #expect(fixture.findings.last?.outcome == .bytes(two, .jpeg, count: 100))
    }
  }

  @Test("What is stored stays when the origin moves to another address")
  func moving() async throws {
    try await withFixture { fixture in
      let (old, new) = (
        try ScriptedOrigin { $0.answer(200, jpeg(100)) }, try ScriptedOrigin { $0.answer(200, jpeg(100)) }
      )
      for base in [old.base, new.base, nil] {
        try await fixture.withLibrary(base) { library in
          #expect(await library.picture("a.jpg").success?.digest == Digest.of(jpeg(100)))
        }
      }
      #expect(old.targets.count == 1)
      #expect(new.targets.isEmpty)
    }
  }

  @Test("An https origin is fetched from when its certificate holds")
  func secure() async throws {
    let bytes = jpeg(500)
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n".utf8) + bytes
    let origin = try SecureOrigin(names: "DNS:localhost", answers: ["a.jpg": answer])
    try await withFixture { fixture in
      try await fixture.withLibrary("https://localhost:\(origin.port)", { $0.authorities = origin.authority }) {
        library in
        #expect(await library.picture("a.jpg").success?.digest == Digest.of(bytes))
        let other = await library.picture("https://127.0.0.1:\(origin.port)/a.jpg")
        #expect(other.failure?.code == "origin-unreachable")
      }
    }
    try await withFixture { fixture in
      try await fixture.withLibrary("https://localhost:\(origin.port)") { library in
        let untrusted = await library.picture("a.jpg")
        #expect(untrusted.failure?.code == "origin-unreachable")
      }
    }
  }
}
