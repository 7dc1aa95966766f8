import Client
import Net
import OriginScripts
import Synchronization
import Testing

@testable import Images

@Suite struct OriginGateTests {
  @Test("So many fetch at a time, the others wait, and beyond that they are sent away")
  func limits() async throws { try await onLoop { try await limits(on: $0) } }

  private func limits(on loop: EventLoop) async throws {
    let gate = OriginGate(OriginGate.Settings(limit: 3, waitingLimit: 4, patience: 600_000))
    let origin = try Origin(Array("http://a.example".utf8))
    let other = try Origin(Array("http://b.example".utf8))
    let running = Counter()
    let (peak, door) = (Peak(), Counter())
    let refused = await withTaskGroup { group in
      for _ in 0..<10 {
        group.addTask {
          await gate.pass(to: origin, on: loop) {
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
      #expect(await gate.pass(to: other, on: loop) { true } == true)
      door.next()
      for await isRefused in group where isRefused { refused += 1 }
      return refused
    }
    #expect(refused == 3)
    #expect(running.value == 7)
    #expect(peak.value == 3)
    // Everybody has left: there is room again.
    #expect(await gate.pass(to: origin, on: loop) { true } == true)
  }

  @Test("Nobody waits longer than a while, and who gave up does not take the next one's turn")
  func patience() async throws {
    let gate = OriginGate(OriginGate.Settings(limit: 1, waitingLimit: 4, patience: 100))
    let origin = try Origin(Array("http://a.example".utf8))
    try await onLoop { loop in
      let door = Counter()
      let holder = Task(executorPreference: loop) {
        await gate.pass(to: origin, on: loop) {
          while door.value == 0 { await loop.sleep(milliseconds: 1) }
          return true
        }
      }
      #expect(await eventually { gate.load.active == 1 })
      #expect(await gate.pass(to: origin, on: loop) { true } == nil)
      #expect(gate.load == (1, 0))
      door.next()
      #expect(await holder.value == true)
      #expect(gate.load == (0, 0))
      #expect(await gate.pass(to: origin, on: loop) { true } == true)
    }
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
