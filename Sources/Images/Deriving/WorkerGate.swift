import Synchronization

/// Lets so many in at a time, and a bounded number wait for their turn, first come first served.
final class WorkerGate: Sendable {
  private struct State {
    var inside = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let limit: Int
  private let waitingLimit: Int

  init(limit: Int, waitingLimit: Int) {
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  /// How many are inside, and how many wait.
  var load: (inside: Int, waiting: Int) { state.withLock { ($0.inside, $0.waiting.count) } }

  /// Waits for a place; false at once when too many wait. Whoever is let in leaves once.
  func enter() async -> Bool {
    enum Turn { case now, later, never }
    let turn: Turn = state.withLock { state in
      guard state.inside >= limit else {
        state.inside += 1
        return .now
      }
      return state.waiting.count < waitingLimit ? .later : .never
    }
    guard turn == .later else { return turn == .now }
    await withCheckedContinuation { continuation in
      let isTurn = state.withLock { state in
        // Somebody may have left meanwhile.
        guard state.inside >= limit else {
          state.inside += 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isTurn { continuation.resume() }
    }
    return true
  }

  /// Gives the place to the next.
  func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.inside -= 1
      return nil
    }
    next?.resume()
  }
}
