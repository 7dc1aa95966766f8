/// UTC instants as the native API and the database's readers write them.
public enum Timestamp {
  /// Seconds since 1970 as RFC 3339 in UTC with whole seconds: `2024-03-01T09:30:00Z`.
  ///
  /// Years run from 0000 to 9999, as RFC 3339 has no others; a time outside is shown as the nearest one inside.
  public static func rfc3339(_ secondsSince1970: Int64) -> String {
    var bytes: [UInt8] = []
    appendRFC3339(secondsSince1970, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same as ASCII bytes.
  public static func appendRFC3339(_ secondsSince1970: Int64, to bytes: inout [UInt8]) {
    let seconds = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
    let secondsPerDay: Int64 = 86_400
    let days = (seconds - (seconds % secondsPerDay + secondsPerDay) % secondsPerDay) / secondsPerDay
    let second = seconds - days * secondsPerDay
    let (year, month, day) = civilDate(days)
    append(year, digits: 4, to: &bytes)
    for (mark, number) in [("-", month), ("-", day), ("T", second / 3600), (":", second / 60 % 60), (":", second % 60)]
    {
      bytes.append(contentsOf: mark.utf8)
      append(number, digits: 2, to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// The proleptic Gregorian date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms", `civil_from_days`).
  static func civilDate(_ daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = daysSince1970 + 719_468  // days from 0000-03-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = number
    for _ in 0..<digits {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }
}
