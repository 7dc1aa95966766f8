import Glibc
import Testing

@testable import Images

/// What the traces below are put through: the table in memory, each entry costing one.
private struct SieveCache {
  private var table: SieveTable<Int, Int>

  init(capacity: Int) { table = SieveTable(capacity: capacity) }

  var keys: Set<Int> { Set(table.keys) }

  /// Asks for a key, and takes it in when it is not there; whether it was.
  mutating func ask(_ key: Int) -> Bool {
    if table.value(for: key) != nil { return true }
    table.insert(key, for: key, cost: 1)
    return false
  }
}

@Suite struct SieveTests {
  @Test("Who was asked for again stays, who was not goes, oldest first")
  func byHand() {
    var cache = SieveCache(capacity: 4)
    for key in [1, 2, 3, 4, 1, 3] { _ = cache.ask(key) }
    // The hand spares 1 and stops at 2, the oldest without a mark.
    _ = cache.ask(5)
    #expect(cache.keys == [1, 3, 4, 5])
    // It goes on from there: it spares 3, and 4 goes.
    _ = cache.ask(6)
    #expect(cache.keys == [1, 3, 5, 6])
    // 1 and 3 have lost their marks, but the hand is past them: the newcomers are looked at first.
    _ = cache.ask(7)
    _ = cache.ask(8)
    #expect(cache.keys == [1, 3, 7, 8])
  }

  @Test("When all were asked for again, the hand goes around once and the oldest goes")
  func allMarked() {
    var cache = SieveCache(capacity: 3)
    for key in [1, 2, 3, 1, 2, 3, 4] { _ = cache.ask(key) }
    #expect(cache.keys == [2, 3, 4])
    _ = cache.ask(5)
    #expect(cache.keys == [3, 4, 5])
  }

  @Test(
    "What costs more than there is room for is not taken; what replaces an entry counts once; what is removed not at all"
  )
  func costs() {
    var table = SieveTable<Int, String>(capacity: 10)
    table.insert("a", for: 1, cost: 11)
    #expect(table.cost == 0)
    table.insert("b", for: 1, cost: 6)
    table.insert("c", for: 1, cost: 7)
    let value = table.value(for: 1)
    #expect(value == "c" && table.cost == 7)
    table.insert("d", for: 2, cost: 4)
    #expect(!table.contains(1) && table.cost == 4)
    table.remove(2)
    #expect(table.keys.isEmpty && table.cost == 0)
    table.insert("e", for: 3, cost: 10) { _ in true }
    table.insert("f", for: 4, cost: 10) { _ in true }
    #expect(!table.contains(4), "when each is visited all the time, the newcomer finds no room")
  }

  @Test("Nothing to evict is no victim; what is marked over and over is passed by, and the walk ends")
  func ends() {
    var sieve = Sieve(position: 7)
    #expect(sieve.walk(next: { _ in nil }, unmark: { _ in false }) == .findsNone)
    #expect(sieve.walk(next: { $0 <= 3 ? $0 : nil }, unmark: { _ in true }) == .findsNone)
    #expect(sieve.walk(steps: 2, next: { $0 <= 3 ? $0 : nil }, unmark: { _ in true }) == .isUnderWay)
    #expect(sieve.walk(next: { $0 <= .max ? .max : nil }, unmark: { _ in false }) == .evicts(.max))
    #expect(sieve.position == 0)
  }

  @Test("A scan of what is asked for once leaves what is asked for often")
  func scan() {
    var cache = SieveCache(capacity: 100)
    for round in 0..<20 {
      for key in 0..<50 { _ = cache.ask(key) }
      for once in 0..<40 { _ = cache.ask(1_000 + round * 40 + once) }
    }
    #expect((0..<50).allSatisfy { cache.keys.contains($0) })
  }

  /// The shares are those of libCacheSim 0.3.5 on the same trace (Tests/Benchmarks/hitratio.py).
  @Test(
    "As much of a Zipf trace is found as by the reference, and more than under LRU",
    arguments: [(100, 0.50670), (1_000, 0.72335)])
  func zipf(_ capacity: Int, _ reference: Double) {
    let trace = ZipfTrace(objects: 10_000, requests: 100_000, skew: 1.0, seed: 7)
    var sieve = SieveCache(capacity: capacity)
    var lru = LRUCache(capacity: capacity)
    var (hits, lruHits) = (0, 0)
    for key in trace {
      if sieve.ask(key) { hits += 1 }
      if lru.ask(key) { lruHits += 1 }
    }
    #expect(hits > lruHits)
    #expect(abs(Double(hits) / 100_000 - reference) < 0.005)
  }
}

/// A million requests, beside a reference; by hand, as the reference is a Python package:
/// `BANCHAN_TRACE=/some/file swift test --filter SieveSoak`, then `Tests/Benchmarks/hitratio.py /some/file`.
@Suite(.enabled(if: getenv("BANCHAN_TRACE") != nil)) struct SieveSoak {
  @Test("A million requests of a Zipf trace", arguments: [0.8, 1.0, 1.2])
  func million(_ skew: Double) throws {
    let path = try #require(getenv("BANCHAN_TRACE").map { "\(String(cString: $0)).\(skew)" })
    let trace = Array(ZipfTrace(objects: 100_000, requests: 1_000_000, skew: skew, seed: 1))
    let file = try #require(fopen(path, "w"))
    for key in trace { fputs("\(key)\n", file) }
    fclose(file)
    for capacity in [100, 1_000, 10_000] {
      var sieve = SieveCache(capacity: capacity)
      var lru = LRUCache(capacity: capacity)
      var (hits, lruHits) = (0, 0)
      for key in trace {
        if sieve.ask(key) { hits += 1 }
        if lru.ask(key) { lruHits += 1 }
      }
      print("hit ratio: skew \(skew) capacity \(capacity) sieve \(hits) lru \(lruHits) of \(trace.count)")
      #expect(hits > lruHits)
    }
  }
}
