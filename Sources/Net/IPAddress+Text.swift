extension IPAddress {
  /// Appends the usual text form (RFC 5952), without brackets. Allocates nothing but room in `bytes`.
  public func append(to bytes: inout [UInt8]) {
    guard family == .v6 else {
      for place in 0..<4 {
        if place > 0 { bytes.append(UInt8(ascii: ".")) }
        Self.append(group(6 + place / 2) >> (place % 2 == 0 ? 8 : 0) & 0xff, base: 10, to: &bytes)
      }
      return
    }
    let zeros = longestRunOfZeros
    var place = 0
    while place < 8 {
      if place == zeros.lowerBound, zeros.count > 1 {
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: ":"))
        place = zeros.upperBound
        continue
      }
      if place > 0, place != zeros.upperBound || zeros.count < 2 { bytes.append(UInt8(ascii: ":")) }
      Self.append(group(place), base: 16, to: &bytes)
      place += 1
    }
  }

  /// The network that the address is in, and not which machine: the first three bytes of IPv4, the first six of IPv6.
  public var shortened: IPAddress { masked(keeping: family == .v4 ? 24 : 48) }

  private var longestRunOfZeros: Range<Int> {
    var longest = 0..<0
    var start = 0
    for place in 0...8 where place == 8 || group(place) != 0 {
      if place - start > longest.count { longest = start..<place }
      start = place + 1
    }
    return longest
  }

  private static func append(_ number: UInt16, base: UInt16, to bytes: inout [UInt8]) {
    var divisor: UInt16 = 1
    while number / divisor >= base { divisor *= base }
    while divisor > 0 {
      let digit = UInt8(truncatingIfNeeded: number / divisor % base)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      divisor /= base
    }
  }
}
