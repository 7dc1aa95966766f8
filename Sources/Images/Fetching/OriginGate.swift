import Client
import Synchronization

/// Lets so many fetches at a time go to each origin, and a bounded number wait for their turn, first come first served.
/// So a slow origin ties up neither this server nor the other origins.
final class OriginGate: Sendable {
  private struct Queue {
    var active = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let queues = Mutex<[Origin: Queue]>([:])
  private let limit: Int
  private let waitingLimit: Int

  /// - Parameters:
  ///   - limit: how many fetch at a time.
  ///   - waitingLimit: how many wait.
  init(limit: Int, waitingLimit: Int) {
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  /// Runs `work` when it is its turn; nil when too many wait already.
  func pass<Value: Sendable>(to origin: Origin, _ work: () async -> Value) async -> Value? {
    guard await enter(origin) else { return nil }
    defer { leave(origin) }
    return await work()
  }

  private func enter(_ origin: Origin) async -> Bool {
    enum Turn { case now, later, never }
    let turn: Turn = queues.withLock { queues in
      var queue = queues[origin] ?? Queue()
      defer { queues[origin] = queue }
      guard queue.active >= limit else {
        queue.active += 1
        return .now
      }
      return queue.waiting.count < waitingLimit ? .later : .never
    }
    guard case .later = turn else { return turn == .now }
    await withCheckedContinuation { continuation in
      let isTurn = queues.withLock { queues in
        var queue = queues[origin] ?? Queue()
        defer { queues[origin] = queue }
        // Somebody may have left meanwhile.
        guard queue.active >= limit else {
          queue.active += 1
          return true
        }
        queue.waiting.append(continuation)
        return false
      }
      if isTurn { continuation.resume() }
    }
    return true
  }

  private func leave(_ origin: Origin) {
    let next: CheckedContinuation<Void, Never>? = queues.withLock { queues in
      guard var queue = queues[origin] else { return nil }
      // The place passes to the next in the queue.
      if !queue.waiting.isEmpty {
        let next = queue.waiting.removeFirst()
        queues[origin] = queue
        return next
      }
      queue.active -= 1
      queues[origin] = queue.active > 0 ? queue : nil
      return nil
    }
    next?.resume()
  }
}
