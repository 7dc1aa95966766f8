import OriginScripts
import Testing

@testable import Images

/// What operators are told of the picture cache.
@Suite struct StatisticsTests {
  @Test("What is stored, pinned, in memory and on its way is counted, and what goes to make room")
  func counted() async throws {
    let origin = try ScriptedOrigin { request in
      if request.target == "/slow.jpg" { request.waitForClose() } else { request.answer(200, jpeg(50_000)) }
    }
    try await withFixture { fixture in
      let cap = DiskBudget.journalRoom + 65_536 + 2 * DiskBudget.diskBytes(50_000)
      let configure: (inout PictureLibrary.Configuration) -> Void = {
        $0.cacheSize = cap
        $0.minimumFree = 0
      }
      try await fixture.withLibrary(origin.base, configure) { library in
        let idle = library.statistics
        #expect(idle.flights == 0 && idle.memoryBytes == 0 && !idle.isCrowded && idle.deriving == nil)
        #expect(idle.disk?.limit == cap)

        await library.pin([Array("pinned.jpg".utf8)])
        _ = try await library.picture("pinned.jpg").get()
        _ = try await library.picture("pinned.jpg").get()
        let fetch = Task { await library.picture("slow.jpg") }
        #expect(await eventually { library.statistics.flights == 1 && library.statistics.origins.active == 1 })
        let one = library.statistics
        #expect(one.disk?.ranks[.pinned]?.stored == PictureLibrary.Total(files: 1, bytes: 50_000))
        #expect(one.disk?.ranks[.original]?.stored == PictureLibrary.Total())
        #expect(one.memoryBytes >= 50_000)
        #expect(one.disk.map { $0.used > 50_000 && $0.used <= $0.limit } == true)
        origin.stop()
        _ = await fetch.value
      }
    }
  }

  @Test("Each body that goes to make room is counted by its rank, and crowding is told")
  func evictions() async throws {
    let seeds = Counter()
    let origin = try ScriptedOrigin { $0.answer(200, jpeg(50_000, seed: UInt64(seeds.next()))) }
    try await withFixture { fixture in
      let configure: (inout PictureLibrary.Configuration) -> Void = {
        $0.cacheSize = DiskBudget.journalRoom + 65_536 + 2 * DiskBudget.diskBytes(50_000)
        $0.minimumFree = 0
      }
      try await fixture.withLibrary(origin.base, configure) { library in
        for number in 0..<5 { _ = try await library.picture("\(number).jpg").get() }
        #expect(library.statistics.disk?.ranks[.original]?.evictions == 3)
        #expect(library.statistics.disk?.ranks[.original]?.stored.files == 2)
        #expect(!library.statistics.isCrowded)
        await library.pin((5..<8).map { Array("\($0).jpg".utf8) })
        for number in 5..<8 { _ = try await library.picture("\(number).jpg").get() }
        #expect(library.statistics.isCrowded)
        #expect(library.statistics.disk?.ranks[.pinned]?.stored.files == 2)
        #expect(library.statistics.disk?.ranks[.pinned]?.evictions == 1)
        #expect(library.statistics.disk?.ranks[.original]?.evictions == 5)
      }
    }
  }
}
