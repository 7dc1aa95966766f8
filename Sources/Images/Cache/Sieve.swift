/// The hand of SIEVE, the eviction algorithm of Zhang et al., "SIEVE is Simpler than LRU" (NSDI '24).
///
/// Entries stand in the order in which they came and never move; a hit only marks its entry. The hand goes from the oldest
/// to the newest and around again: it takes the mark of an entry that has one and passes on, and stops at the first that
/// has none, which is evicted. So what is asked for once goes soon, and what is asked for again stays.
///
/// Entries are known by their number here; where they stand, and their marks, is the caller's business.
struct Sieve: Equatable, Sendable {
  /// The number from which the hand goes on.
  private(set) var position: Int64

  /// What a walk of the hand came to.
  enum Outcome: Equatable, Sendable {
    /// This entry goes.
    case evicts(Int64)
    /// So many entries were passed that others should get their turn; call again.
    case isUnderWay
    /// There is no entry, or each was marked again while the hand went around.
    case findsNone
  }

  init(position: Int64 = 0) { self.position = position }

  /// Moves the hand to the next entry to evict.
  ///
  /// - Parameters:
  ///   - steps: how many entries to look at, at most.
  ///   - next: the number of the first entry from a number on; nil when there is none.
  ///   - unmark: takes an entry's mark, and says whether it had one.
  mutating func walk<Failure: Error>(
    steps: Int = .max, next: (Int64) throws(Failure) -> Int64?, unmark: (Int64) throws(Failure) -> Bool
  ) throws(Failure) -> Outcome {
    var rounds = 0
    var steps = steps
    while steps > 0 {
      guard let entry = try next(position) else {
        // The first time around may have begun in the middle; a second one has seen every entry, and taken every mark.
        rounds += 1
        guard rounds <= 2 else { return .findsNone }
        position = 0
        continue
      }
      position = entry == .max ? 0 : entry + 1
      if try !unmark(entry) {
        // Past the newest it goes back to the oldest, and does not run after whoever comes next.
        if try next(position) == nil { position = 0 }
        return .evicts(entry)
      }
      steps -= 1
    }
    return .isUnderWay
  }
}
