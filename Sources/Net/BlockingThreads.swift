import CLinux
import Glibc
import Synchronization

/// A bounded set of threads for work that blocks: disk reads, database writes, name look-ups. An event loop awaits them.
///
///     let bytes = await threads.run { readWholeFile(path) }
///
/// Threads start when they are first needed and then stay. Work waits in order when all are busy; callers bound how
/// much they hand in.
///
/// `@unchecked Sendable`: `state` is touched only with `mutex` held, which never moves in memory.
public final class BlockingThreads: @unchecked Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var head = 0
    var threads = 0
    var idle = 0
  }

  private let limit: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state = State()

  /// At most so many threads.
  public init(limit: Int) {
    self.limit = max(1, limit)
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  deinit {
    // Threads hold a reference while they run, so none is left here.
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `work` on one of the threads and returns what it returns, back on the caller's executor.
  public func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let handover = Handover<Result<Value, Failure>>()
    await withUnsafeContinuation { continuation in
      submit {
        do throws(Failure) {
          handover.put(.success(try work()))
        } catch {
          handover.put(.failure(error))
        }
        continuation.resume()
      }
    }
    return try handover.take().get()
  }

  /// Hands in work that nobody waits for.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    pthread_mutex_lock(mutex)
    state.waiting.append(work)
    let mustStart = state.idle == 0 && state.threads < limit
    if mustStart { state.threads += 1 }
    let mustWake = state.idle > 0
    pthread_mutex_unlock(mutex)
    // Without the lock, for which the thread that wakes would have to wait again.
    if mustWake { pthread_cond_signal(condition) }
    if mustStart { startThread() }
  }

  private func startThread() {
    let context = Unmanaged.passRetained(self).toOpaque()
    let result = clinux_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<BlockingThreads>.fromOpaque(context).takeRetainedValue().work()
      }, context)
    precondition(result == 0, "no thread could be started")
  }

  private func work() {
    while true {
      pthread_mutex_lock(mutex)
      while state.head == state.waiting.count {
        state.idle += 1
        pthread_cond_wait(condition, mutex)
        state.idle -= 1
      }
      let next = state.waiting[state.head]
      state.waiting[state.head] = {}
      state.head += 1
      if state.head == state.waiting.count {
        state.waiting.removeAll(keepingCapacity: true)
        state.head = 0
      }
      pthread_mutex_unlock(mutex)
      next()
    }
  }
}

/// What a thread leaves for the task that waits for it. It goes through a lock of our own, and not through the continuation,
/// whose order the thread sanitizer cannot see.
private final class Handover<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func put(_ value: Value) { self.value.withLock { $0 = value } }

  /// What was put, which the caller has waited for.
  func take() -> Value {
    guard let value = value.withLock({ $0 }) else { preconditionFailure("a task went on before its thread was done") }
    return value
  }
}
