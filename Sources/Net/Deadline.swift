/// A moment on an event loop's clock, to the millisecond, by which something must have happened.
public struct Deadline: Comparable, Hashable, Sendable {
  /// Milliseconds of the monotonic clock.
  public let milliseconds: Int64

  /// No deadline.
  public static let never = Deadline(milliseconds: .max)

  init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Whether the left moment comes first.
  public static func < (left: Deadline, right: Deadline) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
