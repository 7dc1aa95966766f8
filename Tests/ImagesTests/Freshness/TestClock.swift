import Synchronization

/// A wall clock that a test moves.
final class TestClock: Sendable {
  private let seconds = Atomic<Int64>(1_700_000_000)

  var now: Int64 { seconds.load(ordering: .relaxed) }

  func move(days: Int64) { seconds.wrappingAdd(days * 86_400, ordering: .relaxed) }
}
