import Net

/// What an address is for, as far as it decides whether pictures may be fetched from it.
public enum AddressKind: String, Sendable {
  case `public`
  case unspecified
  case loopback
  case linkLocal = "link-local"
  case `private`
  /// Shared by a carrier's customers behind its translator (RFC 6598).
  case shared
  case multicast
  /// Made for documents and benchmarks; nothing real answers there.
  case documentation
  case reserved
  /// An IPv6 address with an IPv4 address inside, by which the rules for the inner one could be walked around.
  case embedded

  /// Sorts an address by IANA's special-purpose registries (RFC 6890 and its updates).
  public init(_ address: IPAddress) {
    let bytes = address.bytes
    let table = address.family == .v4 ? Self.ipv4 : Self.ipv6
    if let row = table.first(where: { $0.contains(bytes) }) {
      self = row.kind
    } else if address.family == .v6 {
      // IANA hands out 2000::/3 only. An ISATAP interface identifier (RFC 5214) holds an IPv4 address in any network.
      let isISATAP = bytes[8] & 0xFC == 0 && bytes[9] == 0 && bytes[10] == 0x5E && bytes[11] == 0xFE
      self = isISATAP ? .embedded : bytes[0] >> 5 == 1 ? .public : .reserved
    } else {
      self = .public
    }
  }

  /// All addresses that begin with some bits.
  private struct Block: Sendable {
    let prefix: [UInt8]
    let length: Int
    let kind: AddressKind

    init(_ prefix: [UInt8], _ length: Int, _ kind: AddressKind) {
      self.prefix = prefix
      self.length = length
      self.kind = kind
    }

    func contains(_ address: [UInt8]) -> Bool {
      let whole = length / 8
      guard prefix[..<whole].elementsEqual(address[..<whole]) else { return false }
      let rest = length % 8
      return rest == 0 || (prefix[whole] ^ address[whole]) >> UInt8(8 - rest) == 0
    }
  }

  private static let ipv4: [Block] = [
    Block([0], 8, .unspecified),
    Block([10], 8, .private),
    Block([100, 64], 10, .shared),
    Block([127], 8, .loopback),
    Block([169, 254], 16, .linkLocal),
    Block([172, 16], 12, .private),
    Block([192, 0, 0], 24, .reserved),
    Block([192, 0, 2], 24, .documentation),
    Block([192, 88, 99], 24, .reserved),
    Block([192, 168], 16, .private),
    Block([198, 18], 15, .documentation),
    Block([198, 51, 100], 24, .documentation),
    Block([203, 0, 113], 24, .documentation),
    Block([224], 4, .multicast),
    Block([240], 4, .reserved),
  ]

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  // The more particular block stands first.
  private static let ipv6: [Block] = [
    Block(zeros(15) + [0], 128, .unspecified),
    Block(zeros(15) + [1], 128, .loopback),
    Block(zeros(12), 96, .embedded),  // IPv4-compatible
    Block(zeros(10) + [0xFF, 0xFF], 96, .embedded),  // IPv4-mapped
    Block(zeros(8) + [0xFF, 0xFF, 0, 0], 96, .embedded),  // IPv4-translated (RFC 2765)
    Block([0, 0x64, 0xFF, 0x9B], 32, .embedded),  // NAT64, well-known and local (RFC 6052, RFC 8215)
    Block([0x20, 0x01, 0, 0], 32, .embedded),  // Teredo
    Block([0x20, 0x01, 0], 23, .reserved),  // IETF protocol assignments
    Block([0x20, 0x01, 0x0D, 0xB8], 32, .documentation),
    Block([0x20, 0x02], 16, .embedded),  // 6to4
    Block([0x3F, 0xFF, 0], 20, .documentation),
    Block([0xFC], 7, .private),
    Block([0xFE, 0x80], 10, .linkLocal),
    Block([0xFE, 0xC0], 10, .private),  // site-local, deprecated
    Block([0xFF], 8, .multicast),
  ]
}
