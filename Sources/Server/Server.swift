import HTTP
import Metrics
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
    /// Whether requests are logged, in the way that the log's settings say.
    public var logsRequests = false
    /// Whether answers say how their request is called in the log (`X-Request-ID`), and how long they took
    /// (`Server-Timing`).
    public var marksAnswers = false
    /// Bytes of answers that each event loop keeps, to give them again.
    public var answerBytes = 16 << 20
    /// Where what is counted goes; nothing is counted without it.
    public var metrics: MetricRegistry?
    /// Told what became of each request, on its loop; must not wait. For a developer who watches.
    public var onAnswer: (@Sendable (AnswerRecord) -> Void)?

    /// The usual options.
    public init() {}
  }

  private let parts: [Part]

  private struct Part: Sendable {
    let loop: EventLoop
    let worker: Worker
    var listeners: [Listener]
  }

  /// Where a server takes encrypted connections.
  public struct SecurePort: Sendable {
    let sockets: [ListeningSocket]
    let context: TLSServerContext

    /// Sockets on one address, one for each loop, and what TLS needs.
    public init(sockets: [ListeningSocket], context: TLSServerContext) {
      self.sockets = sockets
      self.context = context
    }
  }

  /// Serves on sockets that listen on one address already, one for each loop, and over TLS on a second port, if there is
  /// one; connections wait until `start()`.
  public init(
    on sockets: [ListeningSocket], secure: SecurePort? = nil, loops: [EventLoop], responder: any Responder,
    options: Options, logWriter: LogWriter
  ) {
    let admission = Admission(limits: options.limits)
    let requestMemory = RequestMemory(limit: options.limits.bodies)
    let report: @Sendable (String) -> Void = { logWriter.write($0) }
    parts = loops.indices.prefix(sockets.count).map { index in
      let loop = loops[index]
      let worker = Worker(
        loop: loop, limits: options.limits, responder: responder, cors: options.cors,
        log: options.logsRequests ? RequestLog(writer: logWriter) : nil,
        tally: options.metrics == nil ? nil : LoopTally(routes: responder.routeNames.count),
        marksAnswers: options.marksAnswers, onAnswer: options.onAnswer,
        trustedProxies: options.trustedProxies, admission: admission, requestMemory: requestMemory,
        answerBytes: options.answerBytes)
      var listeners = [Listener(sockets[index], worker: worker, report: report)]
      if let secure, index < secure.sockets.count {
        listeners.append(Listener(secure.sockets[index], tls: secure.context, worker: worker, report: report))
      }
      return Part(loop: loop, worker: worker, listeners: listeners)
    }
    if let registry = options.metrics {
      ServerMetrics(parts.compactMap(\.worker.tally), loops: parts.map(\.loop), routes: responder.routeNames)
        .register(in: registry)
    }
    for part in parts { part.worker.peers = parts.map(\.worker).filter { $0 !== part.worker } }
  }

  /// Begins to accept.
  public func start() async throws(NetError) {
    for part in parts {
      let result: Result<Void, NetError> = await Task(executorPreference: part.loop) {
        do throws(NetError) {
          for listener in part.listeners { try listener.attach(to: part.loop) }
        } catch {
          return .failure(error)
        }
        if let log = part.worker.log { part.loop.atEndOfTurn { log.flush() } }
        for listener in part.listeners { Task(executorPreference: part.loop) { await listener.run() } }
        return .success(())
      }.value
      try result.get()
    }
  }

  /// How long connections have to end after they were told to at once.
  private static let abortTime: Int64 = 250

  /// Has every loop know that the end is near: answers from now on close their connections. `stop` follows.
  public func beginStopping() async {
    for part in parts { await Task(executorPreference: part.loop) { part.worker.beginDraining() }.value }
  }

  /// Stops accepting, finishes what is under way, and ends what is left after `grace` milliseconds.
  public func stop(grace: Int64) async {
    await withDiscardingTaskGroup { group in
      for part in parts {
        group.addTask(executorPreference: part.loop) {
          for listener in part.listeners { await listener.close() }
          let timer = Task(executorPreference: part.loop) {
            await part.loop.sleep(milliseconds: grace)
            guard !Task.isCancelled else { return }
            part.worker.abort()
            await part.loop.sleep(milliseconds: Self.abortTime)
            part.worker.stopWaiting()
          }
          await part.worker.drain()
          timer.cancel()
        }
      }
    }
  }
}
