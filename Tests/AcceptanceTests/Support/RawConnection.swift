import CLinux
import Glibc

/// A TCP connection to a port of this machine, as plain as it gets: bytes out, bytes in, blocking.
final class RawConnection {
  private var descriptor: Int32
  private var unread: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure("No socket: \(lastError())") }
    // Long enough for a loaded machine; a test whose answer never comes has to end.
    var patience = timeval(tv_sec: Patience.seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = loopback(port: port)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let error = lastError()
      close()
      throw Failure("Cannot connect to port \(port): \(error)")
    }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  func close() {
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Ends the connection as a crash does: with a reset.
  func reset() {
    clinux_reset_on_close(descriptor)
    close()
  }

  /// Says that nothing more will be sent, and goes on reading.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends as much as the sockets take at once.
  func sendWithoutWaiting(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Failure("Cannot send: \(lastError())") }
      sent += count
    }
  }

  /// Sends a request without a body: the method, the target, `Host` unless it is among the fields, and the fields as they are.
  func request(_ method: String = "GET", _ target: String, _ fields: [String] = []) throws {
    let host = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: shop.test"]
    try send((["\(method) \(target) HTTP/1.1"] + host + fields).map { "\($0)\r\n" }.joined() + "\r\n")
  }

  /// Reads one answer, to `method`, and leaves what follows it for the next.
  func readReply(to method: String = "GET") throws -> Reply {
    var head: [UInt8]
    repeat {
      head = try readHead()
    } while head.starts(with: Array("HTTP/1.1 1".utf8))
    var reply = try Reply(head: head)
    if method == "HEAD" || reply.status == 204 || reply.status == 304 { return reply }
    if let coding = reply["Transfer-Encoding"] {
      guard coding.lowercased() == "chunked" else { throw Failure("An unknown transfer coding: \(coding)") }
      reply.body = try readChunks()
    } else if let length = reply["Content-Length"] {
      guard let count = Int(length) else { throw Failure("Not a length: \(length)") }
      try fill(until: { $0.count >= count ? count : nil })
      reply.body = take(count)
    } else {
      reply.body = try readToEnd()
    }
    return reply
  }

  /// Everything up to the end that the server makes.
  func readToEnd() throws -> [UInt8] {
    while try receive() {}
    return take(unread.count)
  }

  /// Whether the server ends the connection, without another byte.
  func isEndedByServer() throws -> Bool {
    guard unread.isEmpty else { return false }
    return try !receive()
  }

  // MARK: Reading

  private func readHead() throws -> [UInt8] {
    var searched = 0
    let count = try fill { bytes in
      while searched + 4 <= bytes.count {
        if bytes[searched] == 0x0D, bytes[searched + 1] == 0x0A, bytes[searched + 2] == 0x0D,
          bytes[searched + 3] == 0x0A
        {
          return searched + 4
        }
        searched += 1
      }
      return nil
    }
    return take(count)
  }

  private func readChunks() throws -> [UInt8] {
    var body: [UInt8] = []
    while let chunk = try readChunk() { body += chunk }
    return body
  }

  /// The head of an answer whose body comes in chunks, each to be read by `readChunk`.
  func readStreamHead() throws -> Reply { try Reply(head: readHead()) }

  /// The next chunk of a body; nil after the last one.
  func readChunk() throws -> [UInt8]? {
    let line = try readLine()
    guard let size = Int(line, radix: 16) else { throw Failure("Not the size of a chunk: \(line)") }
    if size == 0 {
      while try !readLine().isEmpty {}
      return nil
    }
    try fill { $0.count >= size + 2 ? size : nil }
    defer { unread.removeFirst(2) }
    let chunk = take(size)
    guard unread.starts(with: [0x0D, 0x0A]) else { throw Failure("A chunk that does not end where it said") }
    return chunk
  }

  private func readLine() throws -> String {
    let count = try fill { bytes in bytes.firstIndex(of: 0x0A).map { $0 + 1 } }
    let line = take(count)
    guard line.count >= 2, line[line.count - 2] == 0x0D else { throw Failure("A line that ends without CR") }
    return String(decoding: line.dropLast(2), as: UTF8.self)
  }

  @discardableResult
  private func fill(until enough: ([UInt8]) -> Int?) throws -> Int {
    while true {
      if let count = enough(unread) { return count }
      guard try receive() else {
        let so_far = String(decoding: unread, as: UTF8.self)
        throw Failure("The server ended the connection in the middle of an answer, after “\(so_far)”")
      }
    }
  }

  private func take(_ count: Int) -> [UInt8] {
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  /// Whether something came. A reset counts as the end.
  private func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        unread += buffer[..<count]
        return true
      }
      if count == 0 || errno == ECONNRESET { return false }
      if errno != EINTR { throw Failure("No answer: \(lastError())") }
    }
  }
}

/// An address of this machine.
func loopback(port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return address
}
