import Net

/// Accepts connections on one loop, and pauses while there is no descriptor for them.
///
/// `@unchecked Sendable`: used on its loop only.
final class Listener: @unchecked Sendable {
  private let socket: ListeningSocket
  private let worker: Worker
  private let tls: TLSServerContext?
  private let report: @Sendable (String) -> Void
  private var isClosing = false
  private var ended: UnsafeContinuation<Void, Never>?
  private var hasEnded = false

  /// Connections that are taken before other work gets its turn.
  private static let acceptsPerTurn = 64

  /// Connections speak TLS if there is a context for it.
  init(
    _ socket: ListeningSocket, tls: TLSServerContext? = nil, worker: Worker,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.socket = socket
    self.tls = tls
    self.worker = worker
    self.report = report
  }

  /// Puts the socket on its loop, once, before `run()`.
  func attach(to loop: EventLoop) throws(NetError) {
    try socket.attach(to: loop)
  }

  /// Accepts until `close()`; nothing that happens to one connection ends it.
  func run() async {
    var isShort = false
    var pause: Int64 = 0
    while !isClosing {
      do throws(NetError) {
        try await socket.acceptable()
        try acceptSome()
        if isShort { report("accepting again: there are free descriptors") }
        isShort = false
        pause = 0
        await Task.yield()
      } catch {
        switch error {
        case .closed: isClosing = true
        case .exhausted:
          if !isShort { report("accepting pauses: \(error); raise the limit of open files (ulimit -n)") }
          isShort = true
          // One that was idle makes room within a moment; when none is, only time helps.
          if await worker.endIdleAnywhere() {
            pause = 0
            await worker.loop.sleep(milliseconds: 1)
          } else {
            pause = min(max(pause * 2, worker.limits.acceptPause), worker.limits.acceptPause * 10)
            await worker.loop.sleep(milliseconds: pause)
          }
        default: break  // That connection was given up by its client meanwhile.
        }
      }
    }
    drainQueue()
    socket.close()
    hasEnded = true
    ended?.resume()
    ended = nil
  }

  private func acceptSome() throws(NetError) {
    for _ in 0..<Self.acceptsPerTurn {
      guard let stream = try socket.tryAccept() else { return }
      worker.serve(stream, tls)
    }
  }

  /// Takes what was connected before the end, so that nobody who got through is refused.
  private func drainQueue() {
    while true {
      do throws(NetError) {
        guard let stream = try socket.tryAccept() else { return }
        worker.serve(stream, tls)
      } catch .reset {
        // That one was given up by its client; others may wait behind it.
      } catch {
        return
      }
    }
  }

  /// Stops accepting; returns when the socket is closed.
  func close() async {
    guard !hasEnded else { return }
    isClosing = true
    socket.wakeForClosing()
    await withUnsafeContinuation { ended = $0 }
  }
}
