import CLinux
import HTTP
import Net

/// What all connections of one event loop share: memory for heads, the answers given before, the date, the count of
/// connections. Everything here runs on that loop.
///
/// `@unchecked Sendable`: references travel between threads, but only the loop's own thread uses them.
final class Worker: @unchecked Sendable {
  let loop: EventLoop
  let limits: ServerLimits
  let responder: any Responder
  let generation: Generation
  let cors: CORSPolicy
  let log: RequestLog?
  let tally: LoopTally?
  /// See `Server.Options`.
  let marksAnswers: Bool
  let onAnswer: (@Sendable (AnswerRecord) -> Void)?
  let trustedProxies: [IPAddressBlock]
  private let admission: Admission
  let requestMemory: RequestMemory
  /// The workers of the other loops; set before the first connection.
  var peers: [Worker] = []

  var answers: AnswerTable
  /// The head that is being written; empty between two of them.
  var scratch: [UInt8] = []
  /// Once true, every answer is its connection's last.
  private(set) var isDraining = false

  /// Connections that are being told over TLS that there is no room for them.
  var encryptedRefusals = 0
  /// How many of them there may be at a time, beyond the limit of connections.
  static let mostEncryptedRefusals = 16

  private var numbers = RequestNumbers()
  private var pool: [HeadStorage] = []
  private var connections: [ObjectIdentifier: Connection] = [:]
  private var finished: UnsafeContinuation<Void, Never>?
  private var dateSecond: Int64 = -1
  private var dateLine: [UInt8] = []

  private static let pooledStorages = 64

  init(
    loop: EventLoop, limits: ServerLimits, responder: any Responder, cors: CORSPolicy, log: RequestLog?,
    tally: LoopTally?, marksAnswers: Bool, onAnswer: (@Sendable (AnswerRecord) -> Void)?,
    trustedProxies: [IPAddressBlock], admission: Admission, requestMemory: RequestMemory, answerBytes: Int
  ) {
    self.loop = loop
    self.limits = limits
    self.responder = responder
    generation = responder.generation
    self.cors = cors
    self.log = log
    self.tally = tally
    self.marksAnswers = marksAnswers
    self.onAnswer = onAnswer
    self.trustedProxies = trustedProxies
    self.admission = admission
    self.requestMemory = requestMemory
    answers = AnswerTable(bytes: answerBytes)
    scratch.reserveCapacity(2048)
  }

  // MARK: Memory and time

  func takeStorage() -> HeadStorage {
    pool.popLast() ?? HeadStorage(limits: limits.request)
  }

  func giveBack(_ storage: HeadStorage) {
    storage.reset()
    if pool.count < Self.pooledStorages { pool.append(storage) }
  }

  /// What connections from an address are counted by: nobody can have many, but for this machine and trusted proxies.
  func source(of address: IPAddress, isFromTrustedProxy: Bool) -> IPAddress? {
    if isFromTrustedProxy || (limits.exemptsLoopback && address.isLoopback) { return nil }
    return address.network
  }

  /// Whether anybody wants to know of requests.
  @inline(__always)
  var isWatched: Bool { tally != nil || log != nil || onAnswer != nil }

  /// Microseconds, for how long an answer takes; 0 when nobody wants to know.
  @inline(__always)
  var stopwatch: Int64 { isWatched || marksAnswers ? clinux_monotonic_microseconds() : 0 }

  /// A request that is being answered.
  struct Turn {
    let number: RequestNumber
    /// What the stopwatch said when its head was there.
    let started: Int64
  }

  /// The turn of the request whose head is there now.
  @inline(__always)
  func beginTurn() -> Turn { Turn(number: numbers.next(), started: stopwatch) }

  /// Seconds since 1970.
  var wallSeconds: Int64 { clinux_wall_seconds() }

  /// Appends the Date field, which is made anew once a second.
  func appendDate(to bytes: inout [UInt8], now: Int64) {
    if now != dateSecond {
      dateSecond = now
      dateLine.removeAll(keepingCapacity: true)
      dateLine.append("Date: ")
      HTTPDate(seconds: now).append(to: &dateLine)
      dateLine.append("\r\n")
    }
    bytes.append(contentsOf: dateLine)
  }

  // MARK: Connections

  /// Starts serving a connection, if there is room for it or an idle one can make some.
  func serve(_ stream: ByteStream, _ tls: TLSServerContext?) {
    let connection = Connection(stream, worker: self, tls: tls)
    connections[ObjectIdentifier(connection)] = connection
    let refusal = admission.enter(connection.source)
    tally?.add(to: .acceptedConnections)
    tally?.add(to: .openConnections)
    Task(executorPreference: loop) {
      if let refusal, await !self.makeRoom(for: connection, refusal) {
        self.tally?.add(to: refusal == .full ? .refusedForRoom : .refusedForSource)
        await connection.turnAway()
      } else {
        await connection.run()
        self.admission.leave(connection.source)
      }
      self.connections[ObjectIdentifier(connection)] = nil
      self.tally?.add(-1, to: .openConnections)
      if self.connections.isEmpty { self.resumeFinished() }
    }
  }

  /// Ends the longest-idle connection, of this loop or else of another, for the sake of a new one; of the same source
  /// where that is what is crowded.
  private func makeRoom(for connection: Connection, _ refusal: Admission.Refusal) async -> Bool {
    let source = refusal == .crowded ? connection.source : nil
    guard await endIdleAnywhere(of: source) else { return false }
    return admission.enter(connection.source, replacing: true) == nil
  }

  /// Ends the longest-idle connection of this loop, or when none is idle, of the first other loop that has one.
  func endIdleAnywhere(of source: IPAddress? = nil) async -> Bool {
    if endLongestIdle(of: source) { return true }
    for peer in peers {
      if await Task(executorPreference: peer.loop, operation: { peer.endLongestIdle(of: source) }).value { return true }
    }
    return false
  }

  /// Ends the connection of this loop that has been idle the longest; false when none is idle.
  private func endLongestIdle(of source: IPAddress?) -> Bool {
    var longest: Connection?
    for connection in connections.values {
      guard let since = connection.idleSince, source == nil || connection.source == source else { continue }
      if let other = longest?.idleSince, other <= since { continue }
      longest = connection
    }
    longest?.endIdle()
    return longest != nil
  }

  // MARK: Ending

  /// From now on each connection's answer to what has come is its last.
  func beginDraining() {
    isDraining = true
  }

  /// Lets connections that are idle bring one more request if it is on its way. Returns when none is left, or nobody
  /// waits for them any more.
  func drain() async {
    beginDraining()
    for connection in connections.values where connection.idleSince != nil { connection.endIdleSoon() }
    guard !connections.isEmpty else { return }
    await withUnsafeContinuation { finished = $0 }
  }

  /// Gives up on connections that do not even end: an endpoint may wait for something that never comes.
  func stopWaiting() {
    resumeFinished()
  }

  /// Ends all connections, whatever they are doing.
  func abort() {
    for connection in connections.values { connection.abort() }
  }

  private func resumeFinished() {
    finished?.resume()
    finished = nil
  }
}
