import HTTP

/// What a request is called, in the log and in the field `X-Request-ID` of its answer: what its client or a proxy calls it, if
/// that is fit to be repeated, else a number of ours.
struct RequestNumber {
  private let number: UInt64

  /// Longer names are not repeated. A UUID has 36 characters.
  private static let longestName = 64

  init(_ number: UInt64) { self.number = number }

  /// Appends the name.
  @inline(__always)
  func append(to bytes: inout [UInt8], for head: RequestHead?) {
    var isNamed = false
    var lines = 0
    head?.forEachValue(of: .xRequestID) { value in
      lines += 1
      guard lines == 1, Self.isName(value) else { return }
      value.withUnsafeBytes { bytes.append(contentsOf: $0) }
      isNamed = true
    }
    if !isNamed { bytes.append(hex: number) }
  }

  /// Letters, digits, and what stands between them in identifiers: nothing that means something in a line of the log.
  private static func isName(_ value: Span<UInt8>) -> Bool {
    guard (1...longestName).contains(value.count) else { return false }
    for index in 0..<value.count {
      switch value[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "@"):
        continue
      default: return false
      }
    }
    return true
  }
}

/// Numbers that no other request of this machine is likely to have had, and that tell nothing of how many there were.
struct RequestNumbers {
  private var state = UInt64.random(in: .min ... .max)

  /// The next one, by SplitMix64 (Steele, Lea, Flood 2014): no two of one series are the same.
  mutating func next() -> RequestNumber {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return RequestNumber(mixed ^ mixed >> 31)
  }
}
