import Client
import Synchronization
import Testing

@testable import Images

@Suite struct CircuitBreakerTests {
  /// A breaker whose clock a test moves.
  private final class Bench: Sendable {
    let origin: Origin
    let breaker: CircuitBreaker
    let clock: Clock

    init() throws {
      let clock = Clock()
      origin = try Origin(Array("http://a.example".utf8))
      breaker = CircuitBreaker(now: { clock.now }, log: { clock.write($0) })
      self.clock = clock
    }

    final class Clock: Sendable {
      private let state = Mutex((now: Int64(1_000_000), lines: [String]()))
      var now: Int64 { state.withLock { $0.now } }
      var lines: [String] { state.withLock { $0.lines } }
      func move(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }
      func write(_ line: String) { state.withLock { $0.lines.append(line) } }
    }

    /// One request that went like so; whether it was let through.
    @discardableResult
    func request(_ verdict: CircuitBreaker.Verdict) -> Bool {
      guard case .admitted(let isProbe) = breaker.admission(to: origin) else { return false }
      breaker.settle(verdict, for: origin, isProbe: isProbe)
      return true
    }
  }

  @Test("Five failures in a row open a circuit, and a success among them begins the count anew")
  func opening() throws {
    let bench = try Bench()
    for _ in 0..<4 { bench.request(.failing) }
    bench.request(.alive)
    for _ in 0..<4 { bench.request(.failing) }
    #expect(bench.breaker.pause(of: bench.origin) == nil)
    bench.request(.failing)
    #expect(bench.breaker.admission(to: bench.origin) == .refused(retryAfter: 10))
    bench.clock.move(9_001)
    #expect(bench.breaker.admission(to: bench.origin) == .refused(retryAfter: 1))
    #expect(bench.breaker.open.map(\.origin) == [bench.origin])
    // Another origin is another matter.
    let other = try Origin(Array("http://b.example".utf8))
    #expect(bench.breaker.admission(to: other) == .admitted(isProbe: false))
    #expect(bench.clock.lines == ["images: http://a.example fails (5 times in a row); it is left alone for 10 s"])
  }

  @Test("After the pause one request at a time tries; the pause doubles, up to five minutes")
  func probing() throws {
    let bench = try Bench()
    for _ in 0..<5 { bench.request(.failing) }
    for pause: Int64 in [10, 20, 40, 80, 160, 300, 300] {
      bench.clock.move(pause * 1_000 - 1)
      #expect(bench.breaker.admission(to: bench.origin) == .refused(retryAfter: 1))
      bench.clock.move(1)
      #expect(bench.breaker.admission(to: bench.origin) == .admitted(isProbe: true))
      #expect(bench.breaker.admission(to: bench.origin) == .refused(retryAfter: 1))
      #expect(bench.breaker.pause(of: bench.origin) == 1)
      bench.breaker.settle(.failing, for: bench.origin, isProbe: true)
    }
    bench.clock.move(300_000)
    #expect(bench.request(.alive))
    #expect(bench.breaker.open.isEmpty)
    #expect(bench.clock.lines.last == "images: http://a.example answers again")
    // All is forgotten: the next pause is the first again.
    for _ in 0..<5 { bench.request(.failing) }
    #expect(bench.breaker.pause(of: bench.origin) == 10)
  }

  @Test(
    "What was under way when a circuit opened does not lengthen its pause, and a probe that came to nothing frees its place"
  )
  func latecomers() throws {
    let bench = try Bench()
    for _ in 0..<16 { #expect(bench.breaker.admission(to: bench.origin) == .admitted(isProbe: false)) }
    for _ in 0..<16 { bench.breaker.settle(.failing, for: bench.origin, isProbe: false) }
    #expect(bench.breaker.pause(of: bench.origin) == 10)
    bench.clock.move(10_000)
    #expect(bench.breaker.admission(to: bench.origin) == .admitted(isProbe: true))
    bench.breaker.settle(.failing, for: bench.origin, isProbe: false)
    bench.breaker.settle(.unknown, for: bench.origin, isProbe: true)
    #expect(bench.breaker.admission(to: bench.origin) == .admitted(isProbe: true))
  }

  @Test("An origin that asks to be left alone is, for as long as it says and five minutes at most")
  func retryAfter() throws {
    let bench = try Bench()
    bench.request(.busy(seconds: 7))
    #expect(bench.breaker.pause(of: bench.origin) == 7)
    bench.clock.move(7_000)
    bench.request(.busy(seconds: 86_400))
    #expect(bench.breaker.pause(of: bench.origin) == 300)
    bench.clock.move(300_000)
    bench.request(.alive)
    #expect(bench.breaker.pause(of: bench.origin) == nil)
    #expect(bench.clock.lines.first == "images: http://a.example asks to be left alone for 7 s")
  }

  @Test("Circuits of ever new origins do not fill the memory")
  func bound() throws {
    let bench = try Bench()
    for number in 0..<3_000 {
      let origin = try Origin(Array("http://h\(number).example".utf8))
      bench.breaker.settle(.failing, for: origin, isProbe: false)
    }
    for _ in 0..<5 { bench.request(.failing) }
    #expect(bench.breaker.open.map(\.origin) == [bench.origin])
  }
}
