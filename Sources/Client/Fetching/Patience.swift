import Net

/// When a fetch gives up: in all, and for an answer that trickles.
///
/// An answer starts with a credit of ``FetchLimits/rateMilliseconds`` and earns a second for every
/// ``FetchLimits/bytesPerSecond`` bytes, never more than that credit again. So silence of that length ends it, and so
/// does a byte a second, while bursts with pauses do not. One number replaces windows and timers.
struct Patience {
  private let limits: FetchLimits
  private let end: Int64
  private var credit: Int64?

  /// A fetch begins at `now`, in milliseconds of its loop's clock.
  init(limits: FetchLimits, now: Int64) {
    self.limits = limits
    end = now + limits.totalMilliseconds
  }

  /// Counts bytes of the answer; the first call starts its credit.
  mutating func received(_ count: Int, now: Int64) {
    let most = now + limits.rateMilliseconds
    // A count is at most what a read takes, so nothing here comes near an overflow.
    credit = min(most, (credit ?? most) + Int64(count) * 1_000 / max(1, limits.bytesPerSecond))
  }

  /// Starts counting afresh, for the answer of the next hop.
  mutating func startHop() { credit = nil }

  /// What a read has, or the time for a step of its own, whichever ends first; and how its end is called.
  func deadline(on loop: EventLoop, step: (milliseconds: Int64, phase: FetchPhase)? = nil) -> (Deadline, FetchError) {
    var moment = end
    var error = FetchError.timedOut(.whole)
    if let credit, credit < moment { (moment, error) = (credit, .tooSlow) }
    if let step, loop.now + step.milliseconds < moment {
      (moment, error) = (loop.now + step.milliseconds, .timedOut(step.phase))
    }
    return (loop.deadline(in: moment - loop.now), error)
  }
}
