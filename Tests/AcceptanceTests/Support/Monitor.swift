import Glibc

/// A value that threads share, and wait on for a condition instead of for a time.
///
/// Safe to share: the value is only touched with the lock held, and whoever waits is woken by every access.
final class Monitor<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until `found` gives a result. Nil only when patience ran out, so that a failing test ends at all.
  func wait<Result>(patience seconds: Int = Patience.seconds, until found: (inout Value) -> Result?) -> Result? {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = found(&value) { return result }
      if pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT { return found(&value) }
    }
  }
}

/// How long a test waits for what must happen before it says that it did not. No test measures time.
enum Patience {
  static let seconds = 60

  /// As `until`, but looking all the time: for what comes at once.
  static func soon<Result>(_ attempt: () throws -> Result?) rethrows -> Result? {
    for _ in 0..<(1_000 * seconds) {
      if let result = try attempt() { return result }
      poll(nil, 0, 1)
    }
    return nil
  }

  /// Calls `attempt`, about twice a second, until it gives a result: for what a server does in its own time and tells
  /// nobody. Nil when patience ran out.
  static func until<Result>(_ attempt: () throws -> Result?) rethrows -> Result? {
    for _ in 0..<(2 * seconds) {
      if let result = try attempt() { return result }
      poll(nil, 0, 500)
    }
    return nil
  }
}
