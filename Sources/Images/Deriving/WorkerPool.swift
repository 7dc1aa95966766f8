import CLinux
import DeriveWire
import HTTP
import Net
import Synchronization

/// The worker processes: started when they are needed, kept, replaced when they have worked enough or came to grief.
///
/// Whatever becomes of a worker costs the picture that it was working on, and nothing else.
final class WorkerPool: Sendable {
  private struct State {
    var idle: [WorkerProcess] = []
    /// Why no worker starts at the moment, and until when none is tried.
    var trouble: (reason: String, until: Int64)?
    /// How long to wait after the next failure to start one.
    var pause: Int64 = WorkerPool.firstPause
  }

  /// Milliseconds.
  private static let firstPause: Int64 = 1_000
  private static let lastPause: Int64 = 60_000

  private let configuration: DerivingConfiguration
  private let gate: WorkerGate
  /// One thread for each worker. They never end, which is what lets a worker listen for its starter's end.
  private let threads: BlockingThreads
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  init(_ configuration: DerivingConfiguration, log: @escaping @Sendable (String) -> Void) {
    self.configuration = configuration
    self.log = log
    gate = WorkerGate(limit: configuration.workers, waitingLimit: configuration.waiting)
    threads = BlockingThreads(limit: configuration.workers)
  }

  /// Why no sizes are derived at the moment; nil while they are.
  var trouble: String? { state.withLock { $0.trouble?.reason } }

  /// How many pictures are being worked on, and how many wait.
  var load: (inside: Int, waiting: Int) { gate.load }

  /// Has a picture derived, when it is its turn.
  ///
  /// - Parameters:
  ///   - picture: the original. It is read only when a worker is free.
  ///   - wantsLook: whether colour and placeholder are wanted.
  func derive(
    _ picture: Response.Body, _ targets: [DeriveTarget], wantsLook: Bool
  ) async -> Result<DerivedPictures, DerivingFailure> {
    guard await gate.enter() else { return .failure(.busy) }
    defer { gate.leave() }
    if let reason = pausing { return .failure(.unavailable(reason)) }
    guard let source = await MemoryFile.holding(picture, on: threads) else {
      return .failure(.unavailable("there is no memory or no descriptor for a picture"))
    }
    return await threads.run { [self] in derive(source, targets, wantsLook) }
  }

  private func derive(
    _ source: MemoryFile, _ targets: [DeriveTarget], _ wantsLook: Bool
  ) -> Result<DerivedPictures, DerivingFailure> {
    while true {
      let worker: WorkerProcess
      let isFresh: Bool
      do throws(WorkerProcess.StartFault) {
        (worker, isFresh) = try takeWorker()
      } catch {
        noteTrouble(error.reason)
        return .failure(.unavailable(error.reason))
      }
      do throws(WorkerProcess.Fault) {
        let result = try worker.derive(
          source, targets, wantsLook: wantsLook, within: configuration.jobMilliseconds)
        keep(worker)
        return result.mapError { .refused($0) }
      } catch {
        switch error {
        // One that ended while it waited has nothing to do with this picture.
        case .gone where !isFresh: continue
        case .gone: return .failure(.lost("its worker ended"))
        case .lost(let reason): return .failure(.lost(reason))
        }
      }
    }
  }

  private func takeWorker() throws(WorkerProcess.StartFault) -> (WorkerProcess, isFresh: Bool) {
    if let worker = state.withLock({ $0.idle.popLast() }) { return (worker, false) }
    let worker = try WorkerProcess(configuration)
    noteSuccess()
    return (worker, true)
  }

  private func keep(_ worker: WorkerProcess) {
    guard worker.jobs < configuration.jobsPerWorker,
      worker.cpuMicroseconds < configuration.cpuSecondsPerWorker * 1_000_000
    else { return }
    state.withLock { $0.idle.append(worker) }
  }

  // MARK: Trouble

  private var pausing: String? {
    let now = clinux_monotonic_milliseconds()
    return state.withLock { state in
      guard let trouble = state.trouble, trouble.until > now else { return nil }
      return trouble.reason
    }
  }

  private func noteTrouble(_ reason: String) {
    let now = clinux_monotonic_milliseconds()
    let isNews = state.withLock { state in
      defer {
        state.trouble = (reason, now + state.pause)
        state.pause = min(2 * state.pause, Self.lastPause)
      }
      return state.trouble?.reason != reason
    }
    if isNews { log("images: no sizes are derived, each answers with the original: \(reason)") }
  }

  private func noteSuccess() {
    let isNews = state.withLock { state in
      defer {
        state.trouble = nil
        state.pause = Self.firstPause
      }
      return state.trouble != nil
    }
    if isNews { log("images: sizes are derived again") }
  }
}
