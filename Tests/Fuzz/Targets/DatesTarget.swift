import HTTP
import Text

extension FuzzTarget {
  /// Dates: the input is a date, and its first eight bytes are a moment.
  static let dates = FuzzTarget("dates") { bytes throws(Violation) in
    let last: Int64 = 253_402_300_799
    for now in [0, 946_684_799, 1_900_000_000, last] as [Int64] {
      guard let date = HTTPDate(bytes.span, now: now) else { continue }
      try expect((0...last).contains(date.seconds), "A date is within the years that can be written")
      try checkWriting(of: date, now: now)
      // The weekday is not compared, and a leap second or the very last one counts as the next.
      let isOrdinary = bytes.count == 29 && bytes[3] == 44 && bytes[23..<25] != [54, 48]
      if isOrdinary { try expectEqual(date.bytes.dropFirst(3), bytes.dropFirst(3), "A date is written as it was read") }
    }
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let date = HTTPDate(seconds: Int64(bitPattern: number))
    try checkWriting(of: date, now: last)
    try checkWriting(of: HTTPDate(seconds: Int64(number % UInt64(last))), now: 0)
  }

  private static func checkWriting(of date: HTTPDate, now: Int64) throws(Violation) {
    try expectEqual(date.bytes.count, HTTPDate.length, "A date has its length")
    try expectEqual(HTTPDate(date.bytes.span, now: now), date, "A date is read as it was written")
    var stamp: [UInt8] = []
    date.appendTimestamp(to: &stamp)
    try expectEqual(Octets.text(stamp), Timestamp.rfc3339(date.seconds), "Both ways of writing a moment agree")
  }
}
