import Glibc

/// What this machine is called, and where it can be reached.
public enum Machine {
  /// The addresses of its interfaces that are up, loopback and link-local ones left out.
  public static var addresses: [IPAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var addresses: [IPAddress] = []
    var next = list
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard let address = interface.ifa_addr, interface.ifa_flags & UInt32(IFF_UP) != 0,
        interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var storage = sockaddr_storage()
      let size =
        Int32(address.pointee.sa_family) == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      guard [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)) else { continue }
      withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size)) }
      guard let found = SocketAddress(storage)?.address else { continue }
      if found.family == .v6, found.bytes[0] == 0xfe, found.bytes[1] & 0xc0 == 0x80 { continue }
      addresses.append(found)
    }
    return addresses
  }

  /// Its host name, and the name under which other machines of the network find it (mDNS).
  public static var names: [String] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
      }
    guard isName else { return [] }
    return name.contains(".") ? [name] : ["\(name).local", name]
  }
}
