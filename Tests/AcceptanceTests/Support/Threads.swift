import CLinux
import Glibc
import Testing

/// Starts a thread that ends when `body` does.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let box = Unmanaged.passRetained(Body(body))
  var thread = pthread_t()
  let result = pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  if result == 0 {
    pthread_detach(thread)
  } else {
    box.release()
    Issue.record("No thread could be started: error \(result)")
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs acceptance tests on threads of their own.
///
/// They are straight blocking code (a socket, a process), and would hold up the tests of the whole package if they
/// blocked the few threads that `async` code shares. The number of threads is also the number of servers that run at
/// the same time.
final class BlockingThreads: TaskExecutor {
  static let shared = BlockingThreads(count: 6)

  private let jobs = Monitor<[UnownedJob]>([])
  private let threads = Monitor<Set<UInt64>>([])

  /// Whether the caller is on one of these threads.
  var areCurrent: Bool { threads.with { $0.contains(clinux_thread_id()) } }

  private init(count: Int) {
    for _ in 0..<count {
      // These threads never end: a server dies with the thread that started it (see BanchanProcess).
      startThread { [self] in
        _ = threads.with { $0.insert(clinux_thread_id()) }
        while true {
          let job = jobs.wait { $0.isEmpty ? nil : $0.removeFirst() }
          job?.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.with { $0.append(job) }
  }
}

/// The trait that puts each test of a suite on such a thread.
struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTrait {
  /// The tests of this suite block: a server of their own answers them.
  static var blocking: Self { Self() }
}
