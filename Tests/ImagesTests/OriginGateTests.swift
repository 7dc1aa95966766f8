import Client
import OriginScripts
import Synchronization
import Testing

@testable import Images

@Suite struct OriginGateTests {
  @Test("So many fetch at a time, the others wait, and beyond that they are sent away")
  func limits() async throws {
    let gate = OriginGate(limit: 3, waitingLimit: 4)
    let origin = try Origin(Array("http://a.example".utf8))
    let other = try Origin(Array("http://b.example".utf8))
    let running = Counter()
    let (peak, door) = (Peak(), Counter())
    let refused = await withTaskGroup { group in
      for _ in 0..<10 {
        group.addTask {
          await gate.pass(to: origin) {
            running.next()
            peak.enter()
            while door.value == 0 { try? await Task.sleep(nanoseconds: 1_000_000) }
            peak.leave()
            return true
          } == nil
        }
      }
      // Three are in, four wait, three have been sent away.
      var refused = 0
      for _ in 0..<3 { if await group.next() == true { refused += 1 } }
      #expect(running.value == 3)
      // Another origin has a gate of its own.
      #expect(await gate.pass(to: other) { true } == true)
      door.next()
      for await isRefused in group where isRefused { refused += 1 }
      return refused
    }
    #expect(refused == 3)
    #expect(running.value == 7)
    #expect(peak.value == 3)
    // Everybody has left: there is room again.
    #expect(await gate.pass(to: origin) { true } == true)
  }
}

/// How many were in at once, at most.
private final class Peak: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  var value: Int { counts.withLock { $0.most } }

  func enter() {
    counts.withLock { counts in
      counts.now += 1
      counts.most = max(counts.most, counts.now)
    }
  }

  func leave() { counts.withLock { $0.now -= 1 } }
}
