import HTTP
import Net

/// An HTTP/1.1 server on a set of event loops, each with its own listening socket.
///
///     let sockets = try ListeningSocket.listen(on: address, count: loops.count)
///     let server = Server(on: sockets, loops: loops, responder: shop, options: options, logWriter: writer)
///     try await server.start()
///     …
///     await server.stop(grace: 10_000)
public final class Server: Sendable {
  /// What an operator may set.
  public struct Options: Sendable {
    /// Sizes, times and counts.
    public var limits = ServerLimits()
    /// Who may read answers across origins.
    public var cors = CORSPolicy()
    /// Proxies whose `Forwarded` and `X-Forwarded-*` fields count.
    public var trustedProxies: [IPAddressBlock] = []
    /// How requests are logged.
    public var log = LogFormat.off

    /// The usual options.
    public init() {}
  }

  private let parts: [Part]

  private struct Part: Sendable {
    let loop: EventLoop
    let worker: Worker
    let listener: Listener
    let socket: ListeningSocket
  }

  /// Serves on sockets that listen on one address already, one for each loop; connections wait until `start()`.
  public init(
    on sockets: [ListeningSocket], loops: [EventLoop], responder: any Responder, options: Options, logWriter: LogWriter
  ) {
    let total = ConnectionCount()
    parts = zip(loops, sockets).map { loop, socket in
      let worker = Worker(
        loop: loop, limits: options.limits, responder: responder, cors: options.cors,
        log: options.log == .off ? nil : RequestLog(format: options.log, writer: logWriter),
        trustedProxies: options.trustedProxies, total: total)
      let listener = Listener(socket, worker: worker) { logWriter.write("banchan: \($0)") }
      return Part(loop: loop, worker: worker, listener: listener, socket: socket)
    }
  }

  /// Begins to accept.
  public func start() async throws(NetError) {
    for part in parts {
      let result: Result<Void, NetError> = await Task(executorPreference: part.loop) {
        do throws(NetError) {
          try part.socket.attach(to: part.loop)
        } catch {
          return .failure(error)
        }
        if let log = part.worker.log { part.loop.atEndOfTurn { log.flush() } }
        Task(executorPreference: part.loop) { await part.listener.run() }
        return .success(())
      }.value
      try result.get()
    }
  }

  /// Stops accepting, finishes what is under way, and ends what is left after `grace` milliseconds.
  public func stop(grace: Int64) async {
    await withDiscardingTaskGroup { group in
      for part in parts {
        group.addTask(executorPreference: part.loop) {
          await part.listener.close()
          let timer = Task(executorPreference: part.loop) {
            await part.loop.sleep(milliseconds: grace)
            if !Task.isCancelled { part.worker.abort() }
          }
          await part.worker.drain()
          timer.cancel()
        }
      }
    }
  }
}
