import Testing

@testable import Images

/// A cache of so many entries under SIEVE, as simple as can be written: what the traces below are put through.
private struct SieveCache {
  let capacity: Int
  private var sieve = Sieve()
  private var numbers: [Int: Int64] = [:]
  private var entries: [Int64: (key: Int, next: Int64?, former: Int64?)] = [:]
  private var oldest: Int64?
  private var newest: Int64?
  private var marks: Set<Int64> = []
  private var last: Int64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var keys: Set<Int> { Set(numbers.keys) }

  /// Asks for a key; whether it was there. Returns what was evicted for it.
  mutating func ask(_ key: Int) -> (isHit: Bool, evicted: Int?) {
    if let number = numbers[key] {
      marks.insert(number)
      return (true, nil)
    }
    let evicted = numbers.count >= capacity ? evict() : nil
    last += 1
    numbers[key] = last
    entries[last] = (key, nil, newest)
    if let newest { entries[newest]?.next = last }
    newest = last
    if oldest == nil { oldest = last }
    return (false, evicted)
  }

  private mutating func evict() -> Int? {
    // The hand stands right behind the entry that it looked at last; that one or its next are still there.
    var marks = marks
    var hint = oldest
    let outcome = sieve.walk(
      next: { from in
        while let entry = hint, entry < from { hint = entries[entry]?.next }
        if let hint { return hint }
        hint = oldest
        return nil
      }, unmark: { marks.remove($0) != nil })
    self.marks = marks
    guard case .evicts(let number) = outcome, let entry = entries.removeValue(forKey: number) else { return nil }
    if let former = entry.former { entries[former]?.next = entry.next } else { oldest = entry.next }
    if let next = entry.next { entries[next]?.former = entry.former } else { newest = entry.former }
    numbers[entry.key] = nil
    return entry.key
  }
}

@Suite struct SieveTests {
  /// The run that section 3 of the paper draws: A B C D are asked for, then others, then A again.
  @Test("Who was asked for again stays, who was not goes, oldest first")
  func byHand() {
    var cache = SieveCache(capacity: 4)
    for key in [1, 2, 3, 4] { #expect(cache.ask(key) == (false, nil)) }
    #expect(cache.ask(1) == (true, nil))
    #expect(cache.ask(3) == (true, nil))
    // The hand spares 1 and stops at 2, the oldest without a mark.
    #expect(cache.ask(5) == (false, 2))
    // It goes on from there: it spares 3, and 4 goes.
    #expect(cache.ask(6) == (false, 4))
    // 1 and 3 have lost their marks, but the hand is past them: the newcomers are looked at first.
    #expect(cache.ask(7) == (false, 5))
    #expect(cache.ask(8) == (false, 6))
    #expect(cache.keys == [1, 3, 7, 8])
  }

  @Test("When all were asked for again, the hand goes around once and the oldest goes")
  func allMarked() {
    var cache = SieveCache(capacity: 3)
    for key in [1, 2, 3, 1, 2, 3] { _ = cache.ask(key) }
    #expect(cache.ask(4) == (false, 1))
    #expect(cache.ask(5) == (false, 2))
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

  @Test("More of a Zipf trace is found than under LRU", arguments: [100, 1_000])
  func zipf(_ capacity: Int) {
    let trace = ZipfTrace(objects: 10_000, requests: 100_000, skew: 1.0, seed: 7)
    var sieve = SieveCache(capacity: capacity)
    var lru = LRUCache(capacity: capacity)
    var (hits, lruHits) = (0, 0)
    for key in trace {
      if sieve.ask(key).isHit { hits += 1 }
      if lru.ask(key) { lruHits += 1 }
    }
    #expect(hits > lruHits)
  }
}

private func == (one: (isHit: Bool, evicted: Int?), other: (Bool, Int?)) -> Bool {
  one.isHit == other.0 && one.evicted == other.1
}
