import CLinux
import Glibc
import HTTP
import Net
import Server
import Testing

/// Answers `/hello` with a body, and everything else with 404; refusals with their status.
struct Echo: Responder {
  let generation = Generation()
  var isReusable = true
  /// Awaited before each answer that is not a repeated one.
  var beforeAnswer: @Sendable () async -> Void = {}

  func respond(to request: Request) async -> Response {
    await beforeAnswer()
    guard request.head.path == Array("/hello".utf8) else {
      return Response(.notFound, body: .bytes(Array("none".utf8)))
    }
    let body = request.body.isEmpty ? Array("hello, world".utf8) : request.body
    var response = Response(.ok, body: .bytes(body))
    response.add(.contentType, "text/plain")
    response.entityTag = EntityTag(strong: Array("tag".utf8))
    response.acceptsRanges = true
    response.isReusable = isReusable && request.body.isEmpty
    return response
  }

  func response(to refusal: Refusal, head: RequestHead?) -> Response {
    switch refusal {
    case .fault(let fault): Response(fault.status)
    case .preconditionFailed: Response(.preconditionFailed)
    case .rangeNotSatisfiable: Response(.rangeNotSatisfiable)
    }
  }
}

/// A server on a loop of its own, which `body` talks to.
func withServer(
  _ responder: any Responder = Echo(), limits: ServerLimits = ServerLimits(),
  _ body: (_ port: UInt16, _ server: Server) async throws -> Void
) async throws {
  let loop = try EventLoop(name: "test")
  loop.start()
  let sockets = try ListeningSocket.listen(on: SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: 0))
  var options = Server.Options()
  options.limits = limits
  let server = Server(on: sockets, loops: [loop], responder: responder, options: options, logWriter: LogWriter())
  try await server.start()
  try await body(sockets[0].address.port, server)
  await server.stop(grace: 1_000)
  loop.stop()
}

/// A blocking client socket; reads give up after some seconds, so that a test that fails also ends.
final class Wire {
  private let descriptor: Int32

  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // The descriptor is closed by deinit, which also runs when an initialiser throws after the last property was set.
    guard result == 0 else { throw Refused() }
  }

  /// Nobody listens there.
  struct Refused: Error {}

  deinit { close(descriptor) }

  /// Sends everything; false when the other side no longer takes it.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether the other side has ended the connection by now, or does within a moment.
  func hasEnded() -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, 200) == 1 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
  }

  /// What comes until the other side closes; nil when it does not.
  func readToEnd() -> String? {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 { return String(decoding: all, as: UTF8.self) }
      guard count > 0 else { return nil }
      all += chunk[..<count]
    }
  }

  /// What comes until `ending` has.
  func read(until ending: String) -> String {
    var all = ""
    var byte = [UInt8](repeating: 0, count: 1)
    while !all.hasSuffix(ending), recv(descriptor, &byte, 1, 0) == 1 { all += String(decoding: byte, as: UTF8.self) }
    return all
  }
}

extension String {
  /// How often a text stands in this one.
  func occurrences(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: text) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
