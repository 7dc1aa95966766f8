import Net

/// The connections of one event loop that wait for another request.
///
/// `@unchecked Sendable`: made for one loop and used only by tasks on it; a reference travels, its state does not.
final class ConnectionPool: @unchecked Sendable {
  private struct Idle {
    let connection: ClientConnection
    /// When it is closed if nobody wants it, in milliseconds of the loop's clock.
    let until: Int64
  }

  private let loop: EventLoop
  private var idle: [Origin: [Idle]] = [:]
  private var isSweeping = false

  /// Milliseconds that a connection waits; below what common servers allow (nginx: 75 s, Node: 5 s and stale detection).
  static let idleMilliseconds: Int64 = 30_000
  private static let connectionsPerOrigin = 16
  private static let origins = 64

  init(loop: EventLoop) { self.loop = loop }

  /// The connection that was used last and is still good; nil when there is none.
  func take(for origin: Origin) -> ClientConnection? {
    while let last = idle[origin]?.popLast() {
      if idle[origin]?.isEmpty == true { idle[origin] = nil }
      guard last.until > loop.now, last.connection.isFresh else { continue }
      last.connection.isReused = true
      return last.connection
    }
    return nil
  }

  /// Keeps a connection for the next request, unless it is spent or there are enough.
  func put(_ connection: ClientConnection) {
    guard connection.isFresh else { return }
    let known = idle[connection.origin]
    guard known != nil || idle.count < Self.origins, (known?.count ?? 0) < Self.connectionsPerOrigin else { return }
    connection.stream.deadline = .never
    idle[connection.origin, default: []].append(
      Idle(connection: connection, until: loop.now + Self.idleMilliseconds))
    startSweeping()
  }

  /// Closes everything, soon; from any thread.
  func closeOnLoop() {
    Task(executorPreference: loop) { self.idle = [:] }
  }

  /// Closes what has waited long enough, so that an origin is not held open by a server that has nothing to ask.
  private func startSweeping() {
    guard !isSweeping else { return }
    isSweeping = true
    Task(executorPreference: loop) {
      while !self.idle.isEmpty {
        await self.loop.sleep(milliseconds: Self.idleMilliseconds / 4)
        self.sweep()
      }
      self.isSweeping = false
    }
  }

  private func sweep() {
    idle = idle.compactMapValues { waiting in
      let kept = waiting.filter { $0.until > loop.now && $0.connection.isFresh }
      return kept.isEmpty ? nil : kept
    }
  }
}
