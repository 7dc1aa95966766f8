import CLinux
import HTTP
import Net
import Synchronization

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
  let trustedProxies: [IPAddressBlock]
  private let total: ConnectionCount

  var answers = AnswerTable()
  /// The head that is being written; empty between two of them.
  var scratch: [UInt8] = []
  /// Once true, every answer is its connection's last.
  private(set) var isDraining = false

  private var pool: [HeadStorage] = []
  private var connections: [ObjectIdentifier: Connection] = [:]
  private var finished: UnsafeContinuation<Void, Never>?
  private var dateSecond: Int64 = -1
  private var dateLine: [UInt8] = []

  private static let pooledStorages = 64

  init(
    loop: EventLoop, limits: ServerLimits, responder: any Responder, cors: CORSPolicy, log: RequestLog?,
    trustedProxies: [IPAddressBlock], total: ConnectionCount
  ) {
    self.loop = loop
    self.limits = limits
    self.responder = responder
    generation = responder.generation
    self.cors = cors
    self.log = log
    self.trustedProxies = trustedProxies
    self.total = total
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

  /// Starts serving a connection, as far as there is room for it.
  func serve(_ stream: ByteStream, _ tls: TLSServerContext?) {
    let hasRoom = total.add(limit: limits.connections) || (endLongestIdle() && total.add(limit: limits.connections + 1))
    let connection = Connection(stream, worker: self, tls: tls)
    if hasRoom { connections[ObjectIdentifier(connection)] = connection }
    Task(executorPreference: loop) {
      guard hasRoom else { return await connection.turnAway() }
      await connection.run()
      self.connections[ObjectIdentifier(connection)] = nil
      self.total.remove()
      if self.connections.isEmpty { self.resumeFinished() }
    }
  }

  /// Ends the connection of this loop that has been idle the longest; false when none is idle.
  func endLongestIdle() -> Bool {
    var longest: Connection?
    for connection in connections.values {
      guard let since = connection.idleSince else { continue }
      if let other = longest?.idleSince, other <= since { continue }
      longest = connection
    }
    longest?.endIdle()
    return longest != nil
  }

  // MARK: Ending

  /// Lets no connection wait for another request: idle ones end now, busy ones after their answer. Returns when none is
  /// left.
  func drain() async {
    isDraining = true
    for connection in connections.values where connection.idleSince != nil { connection.endIdle() }
    guard !connections.isEmpty else { return }
    await withUnsafeContinuation { finished = $0 }
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

/// The connections of all loops together.
final class ConnectionCount: Sendable {
  private let count = Atomic<Int>(0)

  /// Counts one more, unless there are `limit` already.
  func add(limit: Int) -> Bool {
    guard count.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return true }
    remove()
    return false
  }

  func remove() {
    count.wrappingSubtract(1, ordering: .relaxed)
  }
}
