import Catalog
import Testing

@testable import Shop

@Suite("What is fetched ahead")
struct WarmingPlanTests {
  @Test("Pictures of lists come first, then galleries, then details; each once, and none of hidden products alone")
  func order() throws {
    try withSampleShop { store in
      let plan = WarmingPlan(store.snapshot, hasBase: true)
      #expect(
        plan.pictures.map { "\($0.reference)" } == [
          "images/placeholder.jpg", "images/galbi.jpg", "images/jeyuk.jpg", "images/miyeok", "images/kimchi.jpg",
          "images/galbi-2.png", "https://cdn.example.com/긴.webp?x=1",
        ])
      #expect(plan.relative == 0)
    }
  }

  @Test("Without an origin base, paths are left out and counted")
  func withoutBase() throws {
    try withSampleShop { store in
      let plan = WarmingPlan(store.snapshot, hasBase: false)
      #expect(plan.pictures.map { "\($0.reference)" } == ["https://cdn.example.com/긴.webp?x=1"])
      #expect(plan.relative == 6)
    }
  }
}

@Suite("A picture that failed rests")
struct RestTimesTests {
  private let reference: PictureReference

  init() throws { reference = try PictureReference("images/a.jpg") }

  @Test("a minute first, twice as long each time, and six hours at most")
  func doubling() {
    var rests = RestTimes()
    var now: Int64 = 0
    var lengths: [Int64] = []
    for _ in 0..<12 {
      rests.note("404", isForGood: true, of: reference, now: now)
      let end = rests.nextEnd ?? 0
      #expect(!rests.isOver(reference, now: end - 1) && rests.isOver(reference, now: end))
      lengths.append((end - now) / 60_000)
      now = end
    }
    #expect(lengths == [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360])
  }

  @Test("ten minutes at most when its origin is what fails")
  func transient() {
    var rests = RestTimes()
    for _ in 0..<12 { rests.note("refused", isForGood: false, of: reference, now: 0) }
    #expect(rests.nextEnd == 600_000)
  }

  @Test("no more once it is there")
  func forgotten() {
    var rests = RestTimes()
    rests.note("404", isForGood: true, of: reference, now: 0)
    #expect(rests.failures == [WarmingReport.Failure(reference: "images/a.jpg", reason: "404")])
    #expect(rests.forget(reference) && !rests.forget(reference))
    #expect(rests.nextEnd == nil && rests.count == 0)
  }
}
