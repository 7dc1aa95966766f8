import Client
import Net
import Synchronization

/// Lets so many fetches at a time go to each origin, and a bounded number wait for their turn, first come first served and
/// no longer than a while. So a slow origin ties up neither this server nor the other origins.
final class OriginGate: Sendable {
  /// How wide it is.
  struct Settings: Sendable {
    /// How many fetch at a time.
    var limit = 16
    /// How many wait.
    var waitingLimit = 256
    /// Milliseconds that they wait at most.
    var patience: Int64 = 10_000
  }

  private struct Waiter {
    let number: UInt64
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Queue {
    var active = 0
    var waiting: [Waiter] = []
  }

  private let queues = Mutex<[Origin: Queue]>([:])
  private let settings: Settings
  /// Tells waiters apart.
  private let count = Atomic<UInt64>(0)

  init(_ settings: Settings = Settings()) { self.settings = settings }

  /// Runs `work` when it is its turn; nil when too many wait already, or the turn did not come in time.
  ///
  /// - Parameter loop: whose clock the waiting is timed by.
  func pass<Value: Sendable>(to origin: Origin, on loop: EventLoop, _ work: () async -> Value) async -> Value? {
    guard await enter(origin, on: loop) else { return nil }
    defer { leave(origin) }
    return await work()
  }

  /// How many fetch from all origins together, and how many wait.
  var load: (active: Int, waiting: Int) {
    queues.withLock { queues in
      queues.values.reduce(into: (0, 0)) { sum, queue in
        sum.0 += queue.active
        sum.1 += queue.waiting.count
      }
    }
  }

  private func enter(_ origin: Origin, on loop: EventLoop) async -> Bool {
    if let isTurn = takeTurn(at: origin) { return isTurn }
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let timer = Task(executorPreference: loop) {
      await loop.sleep(milliseconds: self.settings.patience)
      if !Task.isCancelled { self.give(up: number, at: origin) }
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      // Somebody may have left meanwhile.
      if let isTurn = takeTurn(at: origin, else: Waiter(number: number, continuation: continuation)) {
        continuation.resume(returning: isTurn)
      }
    }
  }

  /// Whether it is the caller's turn; nil when it has to wait, which `waiter` does if given.
  private func takeTurn(at origin: Origin, else waiter: Waiter? = nil) -> Bool? {
    queues.withLock { queues in
      var queue = queues[origin] ?? Queue()
      defer { queues[origin] = queue }
      guard queue.active >= settings.limit else {
        queue.active += 1
        return true
      }
      guard queue.waiting.count < settings.waitingLimit else { return false }
      if let waiter { queue.waiting.append(waiter) }
      return nil
    }
  }

  private func give(up number: UInt64, at origin: Origin) {
    let waiter: Waiter? = queues.withLock { queues in
      guard let index = queues[origin]?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return queues[origin]?.waiting.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }

  private func leave(_ origin: Origin) {
    let next: Waiter? = queues.withLock { queues in
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
    next?.continuation.resume(returning: true)
  }
}
