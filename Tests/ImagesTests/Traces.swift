import Glibc

/// Requests whose keys are as unequal as those of a shop's pictures: the k-th most wanted is asked for in proportion to
/// 1/k^skew. The same seed makes the same trace.
struct ZipfTrace: Sequence {
  private let sums: [Double]
  private let requests: Int
  private let seed: UInt64

  init(objects: Int, requests: Int, skew: Double, seed: UInt64) {
    var sum = 0.0
    sums = (1...objects).map { rank in
      sum += 1 / pow(Double(rank), skew)
      return sum
    }
    self.requests = requests
    self.seed = seed
  }

  func makeIterator() -> AnyIterator<Int> {
    var state = seed
    var left = requests
    return AnyIterator {
      guard left > 0, let total = sums.last else { return nil }
      left -= 1
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let wanted = Double(state >> 11) / Double(1 << 53) * total
      var (low, high) = (0, sums.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] < wanted { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}

/// Evicts what was not asked for for longest: the policy that SIEVE is measured against.
struct LRUCache {
  private let capacity: Int
  private var clock = 0
  private var times: [Int: Int] = [:]
  private var queue: [(key: Int, time: Int)] = []
  private var head = 0

  init(capacity: Int) { self.capacity = capacity }

  /// Asks for a key; whether it was there.
  mutating func ask(_ key: Int) -> Bool {
    let isHit = times[key] != nil
    while !isHit, times.count >= capacity {
      let (oldest, time) = queue[head]
      head += 1
      if times[oldest] == time { times[oldest] = nil }
    }
    clock += 1
    times[key] = clock
    queue.append((key, clock))
    return isHit
  }
}
