import Glibc

/// An IPv4 or IPv6 address as a value, in network byte order.
public struct IPAddress: Hashable, Sendable {
  /// Which of the two kinds.
  public enum Family: Sendable { case v4, v6 }

  /// Which kind of address this is.
  public let family: Family
  /// The address's bytes, first the most significant; IPv4 stands in the last four.
  private let high: UInt64
  private let low: UInt64

  /// An IPv4 address from its four bytes, `a.b.c.d`.
  public init(v4 a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
    family = .v4
    high = 0
    low = UInt64(a) << 24 | UInt64(b) << 16 | UInt64(c) << 8 | UInt64(d)
  }

  /// 127.0.0.1
  public static let loopback = IPAddress(v4: 127, 0, 0, 1)

  /// ::1
  public static let loopbackV6 = IPAddress(high: 0, low: 1)

  private init(high: UInt64, low: UInt64) {
    family = .v6
    self.high = high
    self.low = low
  }

  /// An IPv6 address from its 16 bytes; nil for any other count.
  public init?(v6 bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    family = .v6
    high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads the usual text form, `127.0.0.1` or `::1` (no brackets, no zone); nil for anything else.
  public init?(_ text: String) {
    // To C a text ends at a zero byte, and whatever stands behind it would pass unseen.
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self.init(v4: v4)
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(v6: v6)
    } else {
      return nil
    }
  }

  init(v4 address: in_addr) {
    family = .v4
    high = 0
    low = UInt64(UInt32(bigEndian: address.s_addr))
  }

  init(v6 address: in6_addr) {
    let words = withUnsafeBytes(of: address) { bytes in
      (bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    family = .v6
    high = UInt64(bigEndian: words.0)
    low = UInt64(bigEndian: words.1)
  }

  /// The address itself, or for IPv6 its first 64 bits: whoever has one address of such a network has all.
  public var network: IPAddress { family == .v4 ? self : IPAddress(high: high, low: 0) }

  /// Four bytes for IPv4, sixteen for IPv6, most significant first.
  public var bytes: [UInt8] {
    let lowBytes = (0..<8).map { UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * $0)) }
    guard family == .v6 else { return Array(lowBytes[4...]) }
    return (0..<8).map { UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * $0)) } + lowBytes
  }

  /// Sixteen bits of the address, of eight such groups; an IPv4 address is the last two.
  func group(_ index: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(48 - 16 * (index & 3)))
  }

  /// The address with all bits behind the first `count` cleared.
  func masked(keeping count: UInt64) -> IPAddress {
    guard family == .v6 else {
      return IPAddress(v4: in_addr(s_addr: UInt32(truncatingIfNeeded: low & ~(0xffff_ffff >> count)).bigEndian))
    }
    return IPAddress(high: high & ~(.max >> count), low: 0)
  }

  /// The IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`), as a dual-stack listener reports it.
  public var unmapped: IPAddress {
    guard family == .v6, high == 0, low >> 32 == 0xffff else { return self }
    return IPAddress(
      v4: UInt8(truncatingIfNeeded: low >> 24), UInt8(truncatingIfNeeded: low >> 16),
      UInt8(truncatingIfNeeded: low >> 8), UInt8(truncatingIfNeeded: low))
  }

  /// True for 127.0.0.0/8 and ::1.
  public var isLoopback: Bool {
    switch family {
    case .v4: low >> 24 == 127
    case .v6: high == 0 && low == 1
    }
  }
}

extension IPAddress: CustomStringConvertible {
  /// The usual text form, without brackets.
  public var description: String {
    let bytes = self.bytes
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let base = buffer.baseAddress,
        inet_ntop(family == .v4 ? AF_INET : AF_INET6, bytes, base, socklen_t(buffer.count)) != nil
      else { return "?" }
      return String(cString: base)
    }
  }
}
