/// Numbers as a Korean price tag shows them.
public enum Grouping {
  /// The number in decimal with a comma between thousands: `12640` is `12,640`.
  public static func thousands(_ number: Int64) -> String {
    var bytes: [UInt8] = []
    appendThousands(number, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same as ASCII bytes, for writers that build an answer in place.
  public static func appendThousands(_ number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = number.magnitude
    var written = 0
    repeat {
      if written > 0, written.isMultiple(of: 3) { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
      written += 1
    } while rest > 0
    bytes[start...].reverse()
  }
}
