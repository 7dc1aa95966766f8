import CLinux
import Synchronization

/// Failures that are answered again for a while without asking the origin, so that a missing picture in a busy list
/// does not become a stream of requests.
final class FailureMemory: Sendable {
  private struct Entry {
    let failure: PictureFailure
    /// Milliseconds of the monotonic clock.
    let until: Int64
  }

  private let entries = Mutex<[SourceKey: Entry]>([:])
  private let now: @Sendable () -> Int64

  private static let limit = 4_096

  /// - Parameter now: the clock, in milliseconds.
  init(now: @escaping @Sendable () -> Int64 = { clinux_monotonic_milliseconds() }) { self.now = now }

  /// The failure that is still remembered for a source.
  func failure(of key: SourceKey) -> PictureFailure? {
    let now = now()
    return entries.withLock { entries in
      guard let entry = entries[key] else { return nil }
      if entry.until > now { return entry.failure }
      entries[key] = nil
      return nil
    }
  }

  /// Remembers a failure for as long as its kind is kept.
  func note(_ failure: PictureFailure, of key: SourceKey) {
    guard failure.keptMilliseconds > 0 else { return }
    let now = now()
    entries.withLock { entries in
      if entries.count >= Self.limit {
        entries = entries.filter { $0.value.until > now }
        // Forgetting costs a request each; growing without a bound would cost memory for ever.
        if entries.count >= Self.limit { entries = [:] }
      }
      entries[key] = Entry(failure: failure, until: now + failure.keptMilliseconds)
    }
  }

  /// Forgets a source's failure.
  func forget(_ key: SourceKey) { entries.withLock { $0[key] = nil } }
}
