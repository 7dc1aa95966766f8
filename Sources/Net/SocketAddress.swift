import CLinux
import Glibc

/// Where a TCP socket listens or connects to: an address and a port.
public struct SocketAddress: Hashable, Sendable {
  /// The machine.
  public let address: IPAddress
  /// The port, in host byte order; 0 asks for any free one when listening.
  public let port: UInt16

  /// An address and a port.
  public init(_ address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// 0.0.0.0:0, for sockets that have no address of this kind.
  static let unspecified = SocketAddress(IPAddress(v4: 0, 0, 0, 0), port: 0)

  init?(_ storage: sockaddr_storage) {
    var storage = storage
    switch Int32(storage.ss_family) {
    case AF_INET:
      let v4 = withUnsafeBytes(of: &storage) { $0.loadUnaligned(as: sockaddr_in.self) }
      self.init(IPAddress(v4: v4.sin_addr), port: UInt16(bigEndian: v4.sin_port))
    case AF_INET6:
      let v6 = withUnsafeBytes(of: &storage) { $0.loadUnaligned(as: sockaddr_in6.self) }
      self.init(IPAddress(v6: v6.sin6_addr), port: UInt16(bigEndian: v6.sin6_port))
    default:
      return nil
    }
  }

  /// Where a client on this machine reaches a listener: loopback in place of "all addresses".
  public var connectable: SocketAddress {
    switch address.description {
    case "0.0.0.0": SocketAddress(.loopback, port: port)
    case "::": SocketAddress(.loopbackV6, port: port)
    default: self
    }
  }

  var family: Int32 { address.family == .v4 ? AF_INET : AF_INET6 }

  /// Lends the C form of this address for the length of `body`.
  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    let bytes = address.bytes
    switch address.family {
    case .v4:
      var v4 = sockaddr_in()
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &v4.sin_addr) { $0.copyBytes(from: bytes) }
      return withUnsafePointer(to: &v4) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
    case .v6:
      var v6 = sockaddr_in6()
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &v6.sin6_addr) { $0.copyBytes(from: bytes) }
      return withUnsafePointer(to: &v6) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
      }
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// `127.0.0.1:8080` or `[::1]:8080`.
  public var description: String {
    address.family == .v4 ? "\(address):\(port)" : "[\(address)]:\(port)"
  }
}
