import Net
import Synchronization

/// Makes equal work one: whoever asks for a key while it is being worked on gets the same outcome.
///
/// A flight belongs to the table, not to who began it. It runs as a task of its own on that one's event loop, and goes on
/// when they leave.
final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let task: Task<Value, Never>
    var passengers = 1
  }

  private let flights = Mutex<[Key: Flight]>([:])
  private let limit: Int

  /// - Parameter limit: how many may wait for one flight.
  init(passengers limit: Int) { self.limit = limit }

  /// The outcome of the flight for `key`: of one that is under way, or of `work` in a new one.
  ///
  /// - Returns: the outcome and whether somebody else's flight gave it; nil when too many wait for that already.
  func outcome(
    of key: Key, on loop: EventLoop, _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, isShared: Bool)? {
    let joined: (task: Task<Value, Never>, isShared: Bool)? = flights.withLock { flights in
      if let flight = flights[key] {
        guard flight.passengers < limit else { return nil }
        flights[key]?.passengers += 1
        return (flight.task, true)
      }
      let flight = Flight(task: task(for: key, on: loop, work))
      flights[key] = flight
      return (flight.task, false)
    }
    guard let joined else { return nil }
    return (await joined.task.value, joined.isShared)
  }

  /// Begins a flight for `key` that nobody waits for, unless one is under way.
  func begin(_ key: Key, on loop: EventLoop, _ work: @escaping @Sendable () async -> Value) {
    flights.withLock { flights in
      if flights[key] == nil { flights[key] = Flight(task: task(for: key, on: loop, work), passengers: 0) }
    }
  }

  private func task(
    for key: Key, on loop: EventLoop, _ work: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    Task(executorPreference: loop) {
      let value = await work()
      // Whoever comes from here on finds what the work has stored, or begins anew.
      self.flights.withLock { $0[key] = nil }
      return value
    }
  }

  /// How many flights are under way.
  var count: Int { flights.withLock { $0.count } }
}
