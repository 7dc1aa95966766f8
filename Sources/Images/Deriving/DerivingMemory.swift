import CLinux
import Synchronization

/// What was not derived, so that a picture which breaks its workers does not break one for every client.
///
/// Kept by the original's digest and the size: the same bytes come to the same end, other bytes are tried at once, and what one size
/// could not be (PNG without transparency, too large to make) does not speak for the others.
final class DerivingMemory: Sendable {
  private struct Entry {
    let failure: DerivingFailure
    /// Milliseconds of the monotonic clock.
    let until: Int64
  }

  private static let limit = 4_096
  /// A refusal would be the same again; it is forgotten at some time only to bound what is kept.
  private static let refusalMilliseconds: Int64 = 3_600_000
  /// A worker may have come to grief for a reason that passes.
  private static let lossMilliseconds: Int64 = 600_000

  private let entries = Mutex<[DerivedKey: Entry]>([:])
  private let now: @Sendable () -> Int64

  /// - Parameter now: the clock, in milliseconds.
  init(now: @escaping @Sendable () -> Int64 = { clinux_monotonic_milliseconds() }) { self.now = now }

  /// The failure that is remembered for a size of an original.
  func failure(of key: DerivedKey) -> DerivingFailure? {
    let now = now()
    return entries.withLock { entries in
      entries[key].flatMap { $0.until > now ? $0.failure : nil }
    }
  }

  /// Remembers a failure, if it is one that lasts.
  func note(_ failure: DerivingFailure, of key: DerivedKey) {
    let kept: Int64
    switch failure {
    case .refused: kept = Self.refusalMilliseconds
    case .lost: kept = Self.lossMilliseconds
    case .busy, .unavailable: return
    }
    let now = now()
    entries.withLock { entries in
      if entries.count >= Self.limit {
        entries = entries.filter { $0.value.until > now }
        if entries.count >= Self.limit { entries = [:] }
      }
      entries[key] = Entry(failure: failure, until: now + kept)
    }
  }
}
