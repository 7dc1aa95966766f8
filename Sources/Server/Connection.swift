import HTTP
import Net

/// One client connection, as one task on one event loop: read a head, answer it, and again, until one side has enough.
///
/// `@unchecked Sendable`: its task and its worker share it, both on the one loop.
final class Connection: @unchecked Sendable {
  let stream: ByteStream
  let worker: Worker
  let tls: TLSServerContext?
  private let endOfLife: Deadline
  private let isFromTrustedProxy: Bool
  /// What this connection is counted by.
  let source: IPAddress?
  /// The bytes of requests that have come and are not answered yet; none while the connection is idle.
  var storage: HeadStorage?
  /// The head of a request that `answerAtOnce` has read and left to `serveRequest`.
  var unanswered: RequestHead?
  /// What `answerAtOnce` has left to `sendRest`.
  var unsent: Rest?
  /// When the connection began to wait for a request; nil while one is under way.
  private(set) var idleSince: Int64?

  /// Whether this side ends the connection while the client may be sending still.
  private var mustLinger = false

  /// Pipelined requests that are answered before other connections get their turn.
  private static let requestsPerTurn = 32

  /// Serves `stream`, over TLS if there is a context for it.
  init(_ stream: ByteStream, worker: Worker, tls: TLSServerContext?) {
    self.stream = stream
    self.worker = worker
    self.tls = tls
    endOfLife = worker.loop.deadline(in: worker.limits.life)
    let isFromTrustedProxy = worker.trustedProxies.contains { $0.contains(stream.peer.address) }
    self.isFromTrustedProxy = isFromTrustedProxy
    source = worker.source(of: stream.peer.address, isFromTrustedProxy: isFromTrustedProxy)
    stream.end = worker.loop.deadline(in: worker.limits.life.multipliedReportingOverflow(by: 2).partialValue)
  }

  /// Serves the connection to its end, and closes it.
  ///
  /// A task keeps as much memory as the deepest of its frames needed, for as long as the connection is there. So a
  /// request that takes no waiting is served without any, and what the others need is in functions of their own, which
  /// stay that (`@inline(never)`).
  @inline(never)
  func run() async {
    if let tls, await !secure(with: tls) { return stream.close() }
    do {
      var answered = 0
      while try await waitForRequest() {
        let keepsAlive =
          switch try answerAtOnce() {
          case .sent(let keepsAlive): keepsAlive
          case .unsent: try await sendRest()
          case .unanswered: try await serveRequest()
          }
        guard keepsAlive else { break }
        answered += 1
        if answered % Self.requestsPerTurn == 0, let storage, storage.count > 0 { await Task.yield() }
      }
    } catch let fault as RequestFault {
      await refuse(fault)
    } catch {
      // The client went away or stopped taking part: there is nobody left to tell.
    }
    if mustLinger { try? await linger() }
    if let storage { worker.giveBack(storage) }
    countBytes()
    stream.close()
  }

  /// Serves the request whose first bytes are there; true when the connection may carry another.
  @inline(never)
  private func serveRequest() async throws -> Bool {
    guard let head = try await nextHead() else { return false }
    return try await exchange(head)
  }

  /// Ends the wait for a next request; the task closes the connection then.
  func endIdle() {
    idleSince = nil
    stream.abort()
  }

  /// While the server stops, a next request is waited for no longer than for one that is under way already.
  func endIdleSoon() {
    stream.deadline = min(stream.deadline, worker.loop.deadline(in: worker.limits.drainTime))
  }

  /// Ends whatever is under way.
  func abort() {
    stream.abort()
  }

  // MARK: Reading

  /// Waits, without any memory for it, until the first bytes of a request are there; false when the client is done, or
  /// none came in time.
  private func waitForRequest() async throws -> Bool {
    while true {
      if let storage {
        if storage.count > 0 { return true }
        worker.giveBack(storage)
        self.storage = nil
      }
      stream.deadline = worker.loop.deadline(in: worker.isDraining ? worker.limits.drainTime : worker.limits.idleTime)
      idleSince = worker.loop.now
      defer { idleSince = nil }
      guard try await waitForBytes(), try fill() != 0 else { return false }
    }
  }

  /// The head of the request whose first bytes are there; nil when the client leaves in the middle of it.
  private func nextHead() async throws -> RequestHead? {
    if let head = unanswered {
      unanswered = nil
      return head
    }
    var parser = RequestParser(limits: worker.limits.request)
    if let storage, case .head(let head) = try parser.parse(storage) { return head }
    stream.deadline = worker.loop.deadline(in: worker.limits.headTime)
    while true {
      guard try await waitForBytes() else { throw RequestFault.timedOut }
      guard try fill() != 0 else { return nil }
      if let storage, case .head(let head) = try parser.parse(storage) { return head }
    }
  }

  /// Waits until something can be read; false when the deadline passed first.
  private func waitForBytes() async throws -> Bool {
    do throws(NetError) {
      try await stream.readable()
      return true
    } catch {
      guard error == .timedOut else { throw error }
      return false
    }
  }

  /// Reads what is there into the storage; 0 at the end of the stream, nil when nothing was there after all.
  private func fill() throws -> Int? {
    let storage = writableStorage()
    return try storage.fill { (room) throws(NetError) in try stream.tryRead(into: room) }
  }

  /// The storage, if no endpoint holds on to a head in it; else another one with what is left to read.
  func writableStorage() -> HeadStorage {
    guard storage != nil else {
      let fresh = worker.takeStorage()
      storage = fresh
      return fresh
    }
    if isKnownUniquelyReferenced(&storage), let storage { return storage }
    let fresh = worker.takeStorage()
    storage?.copyRest(to: fresh)
    storage = fresh
    return fresh
  }

  // MARK: Answering

  /// Answers one request; true when the connection may carry another.
  private func exchange(_ head: RequestHead) async throws -> Bool {
    let turn = worker.beginTurn()
    let answer: PreparedResponse
    let form: PreparedResponse.Form
    do {
      (answer, form) = try await self.answer(to: head)
    } catch let fault as RequestFault {
      await refuse(fault, head)
      return false
    }
    guard !answer.isAbandoned else {
      tell(head, answer, form, turn, end: .abandoned)
      return false
    }
    let keepsAlive = mayGoOn(after: answer, to: head)
    // A stream lasts as long as its client likes, which says nothing about the server.
    if answer.isStream { note(head, answer, form, turn) }
    do {
      try await send(answer, as: form, to: head, turn, keepsAlive: keepsAlive)
    } catch {
      if !answer.isStream { tell(head, answer, form, turn, end: .brokenOff) }
      throw error
    }
    if !answer.isStream { note(head, answer, form, turn) }
    return keepsAlive
  }

  /// Counts and logs an answer.
  /// - Parameters:
  ///   - head: nil when the request could not be parsed.
  ///   - wasKept: whether the answer was given before.
  @inline(__always)
  func note(
    _ head: RequestHead?, _ answer: PreparedResponse, _ form: PreparedResponse.Form, _ turn: Worker.Turn,
    wasKept: Bool = false
  ) {
    guard worker.isWatched else { return }
    tell(head, answer, form, turn, end: .whole)
    let microseconds = worker.stopwatch - turn.started
    let status = answer.status(of: form)
    worker.tally?.note(
      route: answer.route, head?.method ?? .unknown, status, wasKept: wasKept, microseconds: microseconds)
    if let log = worker.log, log.takes(answer, status) {
      log.note(
        RequestLog.Entry(
          head: head, answer: answer, form: form, peer: stream.peer.address, isFromTrustedProxy: isFromTrustedProxy,
          number: turn.number, microseconds: microseconds))
    }
    countBytes()
  }

  /// Tells whoever watches what became of a request.
  @inline(__always)
  private func tell(
    _ head: RequestHead?, _ answer: PreparedResponse, _ form: PreparedResponse.Form, _ turn: Worker.Turn,
    end: AnswerRecord.End
  ) {
    guard let onAnswer = worker.onAnswer else { return }
    onAnswer(AnswerRecord(head, answer, form, microseconds: worker.stopwatch - turn.started, end: end))
  }

  /// Counts what went over the connection since the last time.
  @inline(__always)
  private func countBytes() {
    guard let tally = worker.tally else { return }
    let (received, sent) = stream.takeCounts()
    tally.add(received, to: .receivedBytes)
    tally.add(sent, to: .sentBytes)
  }

  /// Whether the connection may carry another request after this answer. While the server stops, it may if that has come
  /// already.
  func mayGoOn(after answer: PreparedResponse, to head: RequestHead) -> Bool {
    guard head.keepsAlive else { return false }
    // Over HTTP/1.0 only the end of the connection tells the end of a stream.
    if answer.isStream, head.version == .http10 { return false }
    let mayGoOn =
      !answer.closesConnection && worker.loop.deadline(in: 0) < endOfLife
      && (!worker.isDraining || storage.map { $0.count > 0 } ?? false)
    mustLinger = !mayGoOn
    return mayGoOn
  }

  private func answer(to head: RequestHead) async throws -> (PreparedResponse, PreparedResponse.Form) {
    guard let key = key(of: head) else { return select(try await respond(to: head), for: head) }
    let generation = worker.generation.value
    if let answer = worker.answers.answer(to: head, key, generation: generation, now: worker.wallSeconds) {
      return select(answer, for: head)
    }
    let response = await respond(to: head, body: [])
    let answer = PreparedResponse(response)
    if response.isReusable { worker.answers.keep(answer, to: head, key, generation: generation) }
    return select(answer, for: head)
  }

  /// Under what the answer to a request may be kept; nil when it may not.
  func key(of head: RequestHead) -> AnswerTable.Key? {
    guard head.method == .get || head.method == .head, head.framing == .none, head.expectation == .none,
      head.targetScheme == nil, let coding = head.acceptedCoding
    else { return nil }
    return AnswerTable.Key(head, isEncrypted: stream.isEncrypted, coding: coding, isForwarded: isFromTrustedProxy)
  }

  private func respond(to head: RequestHead) async throws -> PreparedResponse {
    guard head.expectation != .unknown else { throw RequestFault.expectationFailed }
    if let scheme = head.targetScheme, (scheme == .https) != stream.isEncrypted { throw RequestFault.misdirected }
    var held = 0
    defer { if held > 0 { worker.requestMemory.giveBack(held) } }
    switch try await takeBody(of: head, held: &held) {
    case .body(let body): return PreparedResponse(await respond(to: head, body: body))
    case .refused(let response): return PreparedResponse(response)
    }
  }

  private func respond(to head: RequestHead, body: [UInt8]) async -> Response {
    // The endpoint takes the time it needs; no deadline of the socket may fall into it.
    stream.deadline = .never
    return await worker.responder.respond(
      to: Request(
        head: head, body: body, isEncrypted: stream.isEncrypted, peer: stream.peer,
        isFromTrustedProxy: isFromTrustedProxy))
  }

  /// Applies the conditions and the range of a request to its answer.
  func select(_ answer: PreparedResponse, for head: RequestHead) -> (PreparedResponse, PreparedResponse.Form) {
    let usual = PreparedResponse.Form.full
    guard answer.status == .ok, head.method == .get || head.method == .head else {
      return (answer, head.method == .head ? .headOnly : usual)
    }
    let now = worker.wallSeconds
    if answer.entityTag != nil || answer.lastModified != nil {
      switch Precondition(head, entityTag: answer.entityTag, lastModified: answer.lastModified, now: now) {
      case .holds: break
      case .notModified: return (answer, .notModified)
      case .fails:
        return (
          PreparedResponse(worker.responder.response(to: .preconditionFailed, head: head)),
          head.method == .head ? .headOnly : usual
        )
      }
    }
    guard head.method == .get else { return (answer, .headOnly) }
    guard answer.acceptsRanges else { return (answer, usual) }
    let length = answer.bodyCount
    switch Precondition.range(
      head, length: length, entityTag: answer.entityTag, lastModified: answer.lastModified, now: now)
    {
    case .whole: return (answer, usual)
    case .part(let range): return (answer, .part(range))
    case .unsatisfiable:
      return (PreparedResponse(worker.responder.response(to: .rangeNotSatisfiable(length: length), head: head)), usual)
    }
  }
}
