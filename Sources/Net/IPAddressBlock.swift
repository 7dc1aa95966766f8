/// A block of addresses, such as 10.0.0.0/8 or 2001:db8::/32; a single address is a block of one.
public struct IPAddressBlock: Hashable, Sendable {
  private let address: IPAddress
  private let prefixLength: Int

  /// Reads `ADDRESS` or `ADDRESS/LENGTH`; nil when either is not one.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
    let width = address.family == .v4 ? 32 : 128
    var length = width
    if parts.count > 1 {
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let given = Int(parts[1]), given <= width
      else { return nil }
      length = given
    }
    self.address = address
    prefixLength = length
  }

  /// Whether an address lies in the block.
  public func contains(_ other: IPAddress) -> Bool {
    guard other.family == address.family else { return false }
    var bits = prefixLength
    for (one, two) in zip(address.bytes, other.bytes) {
      guard bits > 0 else { return true }
      let mask: UInt8 = bits >= 8 ? 0xff : ~(0xff >> UInt8(bits))
      guard one & mask == two & mask else { return false }
      bits -= 8
    }
    return true
  }
}
