import CLinux
import Glibc

/// A port on 127.0.0.1 that never takes another connection: its queue is full and nobody accepts. Connecting to it waits,
/// as it does with a host behind a firewall that drops packets.
public final class SilentPort {
  /// The port.
  public let port: UInt16
  private var descriptors: [Int32] = []

  /// Fills the queue.
  public init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw ScriptFault(call: "bind") }
    port = UInt16(bigEndian: address.sin_port)
    descriptors = [listener]
    for _ in 0..<4 {
      let client = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(client)
      withUnsafePointer(to: &address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, length) }
      }
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
