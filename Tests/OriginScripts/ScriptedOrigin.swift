import CLinux
import Glibc
import Synchronization

/// An origin for tests that answers each request with whatever bytes a script sends, right or wrong.
///
/// Plain blocking sockets, a thread per connection, nothing of ours below: what is tested is not used to test itself.
///
///     let origin = try ScriptedOrigin { request in
///       request.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
///     }
public final class ScriptedOrigin: Sendable {
  /// Called for each request, on the connection's own thread.
  public typealias Script = @Sendable (borrowing ScriptedRequest) -> Void

  /// The port on 127.0.0.1.
  public let port: UInt16
  private let listener: Int32
  private let script: Script
  private let state = Mutex(State())

  private struct State {
    var targets: [String] = []
    var heads: [String] = []
    var connections = 0
    var open: Set<Int32> = []
    var isStopped = false
  }

  /// Listens on 127.0.0.1, at any free port unless one is given.
  public init(port: UInt16 = 0, _ script: @escaping Script) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw ScriptFault(call: "socket") }
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 512) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw ScriptFault(call: "bind") }
    self.port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    self.script = script
    startThread { [self] in accept() }
  }

  /// What the request lines asked for so far, in order.
  public var targets: [String] { state.withLock { $0.targets } }
  /// The request heads so far, whole.
  public var heads: [String] { state.withLock { $0.heads } }
  /// How many connections came so far.
  public var connections: Int { state.withLock { $0.connections } }
  /// `http://127.0.0.1:port`.
  public var base: String { "http://127.0.0.1:\(port)" }

  /// Closes the listener and every connection: who connects now is refused.
  public func stop() {
    let open = state.withLock { state -> Set<Int32> in
      guard !state.isStopped else { return [] }
      state.isStopped = true
      // Ends the blocked accept.
      shutdown(listener, Int32(SHUT_RDWR))
      return state.open
    }
    for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    while state.withLock({ !$0.open.isEmpty }) { usleep(1_000) }
  }

  deinit {
    stop()
    // Until here the port stays this origin's, so that no other test's origin answers where nobody is to listen.
    close(listener)
  }

  private func accept() {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      let isStopped = state.withLock { state -> Bool in
        if descriptor >= 0, !state.isStopped {
          state.connections += 1
          state.open.insert(descriptor)
        }
        return state.isStopped
      }
      if isStopped {
        if descriptor >= 0 { close(descriptor) }
        return
      }
      guard descriptor >= 0 else { continue }
      startThread { [self] in serve(descriptor) }
    }
  }

  private func serve(_ descriptor: Int32) {
    var input: [UInt8] = []
    while let head = readHead(descriptor, &input) {
      let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      state.withLock {
        $0.targets.append(target)
        $0.heads.append(head)
      }
      script(ScriptedRequest(head: head, target: target, descriptor: descriptor))
    }
    state.withLock {
      _ = $0.open.remove(descriptor)
      close(descriptor)
    }
  }

  private func readHead(_ descriptor: Int32, _ input: inout [UInt8]) -> String? {
    let end = Array("\r\n\r\n".utf8)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let index = input.indices.first(where: { input[$0...].starts(with: end) }) {
        defer { input.removeFirst(index + 4) }
        return String(decoding: input[..<(index + 4)], as: UTF8.self)
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      input += buffer[..<count]
    }
  }
}

/// A request as a script sees it, and the connection to answer on.
public struct ScriptedRequest: ~Copyable {
  /// The whole head with its empty line.
  public let head: String
  /// Path and query.
  public let target: String
  let descriptor: Int32

  /// What the Host field says.
  public var host: String {
    let line = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }
    return line.map { String($0.dropFirst(6)) } ?? ""
  }

  /// Sends bytes as they are; false when the other side is gone.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        clinux_send2(descriptor, nil, 0, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends text as it is.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends a whole answer with its length.
  public func answer(_ status: Int, type: String = "image/jpeg", fields: [String] = [], _ body: [UInt8]) {
    let lines = ["HTTP/1.1 \(status) Status", "Content-Type: \(type)", "Content-Length: \(body.count)"] + fields
    send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  /// Waits, as a slow origin does.
  public func sleep(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

  /// Waits until the client hangs up.
  public func waitForClose() {
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) > 0 {}
  }

  /// Ends the connection in order.
  public func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends the connection with a reset.
  public func reset() {
    clinux_reset_on_close(descriptor)
    // Disconnecting sends the reset now, while the descriptor stays the serving thread's.
    var none = sockaddr()
    none.sa_family = sa_family_t(AF_UNSPEC)
    connect(descriptor, &none, socklen_t(MemoryLayout<sockaddr>.size))
  }
}

/// A system call of a test's own origin that failed.
public struct ScriptFault: Error {
  /// Its name.
  public let call: String
  /// Its errno.
  public let code: Int32

  /// The call that has just failed.
  public init(call: String) {
    code = errno
    self.call = call
  }
}

private final class ThreadBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

private func startThread(_ run: @escaping @Sendable () -> Void) {
  let context = Unmanaged.passRetained(ThreadBody(run)).toOpaque()
  clinux_thread_start(
    { context in
      guard let context else { return }
      Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    }, context)
}
