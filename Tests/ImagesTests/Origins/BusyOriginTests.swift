import Client
import HTTP
import OriginScripts
import Testing

@testable import Images

@Suite struct BusyOriginTests {
  @Test("An origin that fails five times in a row is left alone: the next picture is refused without a request")
  func breaker() async throws {
    let origin = try ScriptedOrigin { $0.answer(500, []) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base) { library in
        for number in 0..<5 { #expect(await library.picture("\(number).jpg").failure?.code == "origin-error") }
        let refused = await library.picture("5.jpg").failure
        #expect(refused?.code == "origin-busy")
        #expect(refused?.status.code == 503)
        #expect((1...10).contains(refused?.retryAfter ?? 0))
        #expect(library.originsState.leftAlone.map(\.origin.description) == [origin.base])
      }
      #expect(origin.targets.count == 5)
      // A line for each failure and one for the decision, none for what was refused by it.
      #expect(fixture.lines.count == 6)
    }
  }

  @Test("It is tried again after the pause, and when it answers, all is well")
  func recovery() async throws {
    let isDown = Counter()
    let origin = try ScriptedOrigin { request in
      if isDown.value == 0 { request.answer(500, []) } else { request.answer(200, jpeg(100)) }
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(
        origin.base,
        {
          $0.breaker.failures = 2
          $0.breaker.firstPause = 1
        }
      ) { library in
        for number in 0..<2 { _ = await library.picture("\(number).jpg") }
        isDown.next()
        var picture = await library.picture("2.jpg")
        for _ in 0..<1_000 where picture.failure?.code == "origin-busy" {
          try await Task.sleep(nanoseconds: 1_000_000)
          picture = await library.picture("2.jpg")
        }
        #expect(picture.success?.format == .jpeg)
        #expect(library.originsState.leftAlone.isEmpty)
      }
    }
  }

  @Test("An origin that asks to be left alone is, for all its pictures", arguments: [429, 503])
  func retryAfter(_ status: Int) async throws {
    let origin = try ScriptedOrigin { $0.answer(status, fields: ["Retry-After: 120"], []) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base) { library in
        for number in 0..<3 {
          let failure = await library.picture("\(number).jpg").failure
          #expect(failure?.code == "origin-busy")
          #expect((11...120).contains(failure?.retryAfter ?? 0))
        }
      }
      #expect(origin.targets.count == 1)
    }
  }

  @Test("Missing pictures and other orderly answers say that an origin is there", arguments: [404, 410, 403, 204])
  func alive(_ status: Int) async throws {
    let origin = try ScriptedOrigin { $0.answer(status, []) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base) { library in
        for number in 0..<8 { #expect(await library.picture("\(number).jpg").failure?.code != "origin-busy") }
      }
      #expect(origin.targets.count == 8)
    }
  }

  @Test("A stored picture of an origin that is left alone is served at once, and nothing is asked")
  func staleWhileLeftAlone() async throws {
    let clock = TestClock()
    let origin = try ScriptedOrigin { request in
      if request.target == "/good.jpg" { request.answer(200, jpeg(100)) } else { request.answer(500, []) }
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.now = { clock.now } }) { library in
        _ = try await library.picture("good.jpg").get()
        for number in 0..<5 { _ = await library.picture("\(number).jpg") }
        clock.move(days: 2)
        let picture = try await library.picture("good.jpg").get()
        #expect(picture.cacheStatus == .stale(detail: "origin-busy"))
        #expect(picture.reusableUntil == clock.now + 5)
      }
      #expect(origin.targets.count == 6)
    }
  }

  @Test("Where too many wait for an origin, the next is sent away at once; a stored picture is served at once")
  func crowd() async throws {
    let (door, inside, clock) = (Counter(), Counter(), TestClock())
    let origin = try ScriptedOrigin { request in
      guard request.target != "/stored.jpg" else { return request.answer(200, jpeg(100)) }
      inside.next()
      while door.value == 0 { request.sleep(milliseconds: 1) }
      request.answer(200, jpeg(100))
    }
    try await withFixture { fixture in
      try await fixture.withLibrary(
        origin.base,
        {
          $0.now = { clock.now }
          $0.gate = OriginGate.Settings(limit: 2, waitingLimit: 1, patience: 600_000)
        }
      ) { library in
        _ = try await library.picture("stored.jpg").get()
        clock.move(days: 2)
        let fetches = (0..<3).map { number in Task { await library.picture("\(number).jpg").success } }
        #expect(await eventually { library.originsState.waiting == 1 && inside.value == 2 })
        let failure = await library.picture("3.jpg").failure
        #expect(failure?.code == "origin-busy" && failure?.status.code == 503 && failure?.retryAfter == 1)
        let stored = try await library.picture("stored.jpg").get()
        #expect(stored.cacheStatus == .revalidating)
        #expect(await stored.bytes == jpeg(100))
        #expect(origin.targets.count { $0 == "/stored.jpg" } == 1)
        door.next()
        for fetch in fetches { #expect(await fetch.value != nil) }
      }
    }
  }

  @Test("Sixteen pictures at a time are fetched from one origin, and a slow one does not hold up another")
  func width() async throws {
    let (door, inside) = (Counter(), Counter())
    let slow = try ScriptedOrigin { request in
      inside.next()
      while door.value == 0 { request.sleep(milliseconds: 1) }
      request.answer(200, jpeg(100))
    }
    let quick = try ScriptedOrigin { $0.answer(200, jpeg(100)) }
    try await withFixture { fixture in
      let allowed = try Origin(Array(quick.base.utf8))
      try await fixture.withLibrary(
        slow.base,
        {
          $0.allowedOrigins = [allowed]
          // How long they wait is another test's business, and on a busy machine this one takes its time.
          $0.gate.patience = 600_000
          $0.limits.firstByteMilliseconds = 600_000
          $0.limits.totalMilliseconds = 600_000
        }
      ) { library in
        let fetches = (0..<40).map { number in Task { await library.picture("\(number).jpg").success } }
        #expect(await eventually { library.originsState.waiting == 24 })
        #expect(await eventually { inside.value == 16 })
        #expect(library.originsState.active == 16)
        #expect(await library.picture(quick.base + "/a.jpg").success != nil)
        door.next()
        for fetch in fetches { #expect(await fetch.value != nil) }
      }
    }
  }
}
