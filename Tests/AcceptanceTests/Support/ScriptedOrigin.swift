import CLinux
import Glibc

/// A picture origin that does what the test says, and counts.
final class ScriptedOrigin: Sendable {
  /// What it answers for a path.
  enum Answer {
    /// 200 with these bytes under this type.
    case picture([UInt8], type: String = "image/jpeg")
    /// This status, with a short text.
    case status(Int, fields: [String] = [])
    /// Exactly these bytes, and then the end of the connection.
    case raw([UInt8])
    /// Nothing, ever.
    case silence
  }

  private struct State {
    var answers: [String: Answer] = [:]
    var requests: [String: [String]] = [:]
    var connectionCount = 0
    var isHolding = false
    var listener: Int32 = -1
    var connections: Set<Int32> = []
    var port: UInt16 = 0
  }

  private let state = Monitor(State())

  init() throws { try start() }

  deinit { stop() }

  var port: UInt16 { state.with { $0.port } }

  /// What `--origin-base` wants.
  var base: String { "http://127.0.0.1:\(port)/" }

  // MARK: The script

  subscript(_ path: String) -> Answer? {
    get { state.with { $0.answers[path] } }
    set { state.with { $0.answers[path] = newValue } }
  }

  /// From now on requests are taken, and their answers held back until `release`.
  func hold() { state.with { $0.isHolding = true } }
  func release() { state.with { $0.isHolding = false } }

  /// How often a path was asked for.
  func count(_ path: String) -> Int { state.with { $0.requests[path]?.count ?? 0 } }

  /// The heads of the requests for a path.
  func requests(_ path: String) -> [String] { state.with { $0.requests[path] ?? [] } }

  /// How often anything was asked for.
  var count: Int { state.with { $0.requests.values.reduce(0) { $0 + $1.count } } }

  /// How many connections there were so far.
  var connectionCount: Int { state.with { $0.connectionCount } }

  /// Waits until a path was asked for so often.
  func waitForRequest(_ path: String, count: Int = 1) throws {
    let reached = state.wait { ($0.requests[path]?.count ?? 0) >= count ? true : nil }
    if reached == nil { throw Failure("The origin was not asked for \(path) \(count) times") }
  }

  // MARK: Up and down

  /// Goes away as a machine does: nobody listens, and open connections are reset.
  func stop() {
    let (listener, connections) = state.with { state in
      defer {
        state.listener = -1
        state.isHolding = false
      }
      return (state.listener, state.connections)
    }
    // Shutting down wakes the threads that wait on them; each closes its own.
    if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    // Until the last is closed the port is not free for the next start.
    _ = state.wait { $0.connections.isEmpty ? true : nil }
  }

  /// Comes (back) up, on the port it had.
  func start() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var on: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = loopback(port: port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        if bind(listener, address, length) != 0 || listen(listener, 1024) != 0 { return Int32(-1) }
        return getsockname(listener, address, &length)
      }
    }
    guard result == 0 else {
      let error = lastError()
      close(listener)
      throw Failure("The origin cannot listen: \(error)")
    }
    state.with {
      $0.listener = listener
      $0.port = UInt16(bigEndian: address.sin_port)
    }
    startThread { [state] in
      while true {
        var peer = sockaddr_storage()
        let connection = clinux_accept(listener, &peer)
        if connection == -ECONNABORTED { continue }
        guard connection >= 0 else { break }
        // Only the listener's thread waits here; each connection has a thread of its own, and blocks it.
        _ = fcntl(connection, F_SETFL, 0)
        state.with { $0.connectionCount += 1 }
        guard state.with({ $0.listener == listener && $0.connections.insert(connection).inserted }) else {
          close(connection)
          break
        }
        startThread { Self.serve(connection, state) }
      }
      close(listener)
    }
  }

  // MARK: Answering

  private static func serve(_ connection: Int32, _ state: Monitor<State>) {
    var unread: [UInt8] = []
    while let head = readHead(connection, &unread) {
      let parts = head.split(separator: " ")
      let path = parts.count > 1 ? String(parts[1]) : "?"
      state.with { $0.requests[path, default: []].append(head) }
      let isDown = state.wait { state in
        state.listener < 0 ? true : state.isHolding ? nil : false
      }
      if isDown != false { break }
      let answer = state.with { $0.answers[path] } ?? .status(404)
      if case .silence = answer {
        // Reads on until the other side has had enough, or the origin is stopped.
        while readHead(connection, &unread) != nil {}
        break
      }
      write(bytes(of: answer), to: connection)
      if case .raw = answer { break }
    }
    // Taken off the list before its number can be somebody else's.
    state.with {
      $0.connections.remove(connection)
      close(connection)
    }
  }

  private static func bytes(of answer: Answer) -> [UInt8] {
    switch answer {
    case .picture(let body, let type):
      Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    case .status(let status, let fields):
      Array(
        ("HTTP/1.1 \(status) Scripted\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n"
          + fields.map { "\($0)\r\n" }.joined() + "\r\nscript").utf8)
    case .raw(let bytes): bytes
    case .silence: []
    }
  }

  private static func readHead(_ connection: Int32, _ unread: inout [UInt8]) -> String? {
    let mark = Array("\r\n\r\n".utf8)
    var buffer = [UInt8](repeating: 0, count: 8192)
    while true {
      if unread.count >= 4,
        let end = (0...(unread.count - 4)).first(where: { Array(unread[$0..<($0 + 4)]) == mark })
      {
        defer { unread.removeFirst(end + 4) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      unread += buffer[..<count]
    }
  }

  private static func write(_ bytes: [UInt8], to connection: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      sent += count
    }
  }
}
