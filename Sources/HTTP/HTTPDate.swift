/// A moment to the second as HTTP writes it (RFC 9110, section 5.6.7).
public struct HTTPDate: Hashable, Comparable, Sendable {
  /// Seconds since 1970, UTC. Years 0 to 9999 can be written.
  public let seconds: Int64

  /// The count of bytes of the written form.
  public static let length = 29

  /// A moment so many seconds after 1970 began in UTC, held to the years 1970 to 9999.
  public init(seconds: Int64) {
    self.seconds = min(max(0, seconds), 253_402_300_799)
  }

  /// Whether the left moment is earlier.
  public static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

  private static let days: [StaticString] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Appends the IMF-fixdate form, `Sun, 06 Nov 1994 08:49:37 GMT`.
  public func append(to bytes: inout [UInt8]) {
    let day = seconds / 86_400
    let time = seconds % 86_400
    let civil = Self.civil(fromDays: day)
    func append(_ literal: StaticString) { literal.withUTF8Buffer { bytes.append(contentsOf: $0) } }
    func append(twoDigits value: Int64) {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10 % 10))
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }
    append(Self.days[Int(day % 7)])
    append(", ")
    append(twoDigits: civil.day)
    append(" ")
    append(Self.months[Int(civil.month - 1)])
    append(" ")
    append(twoDigits: civil.year / 100)
    append(twoDigits: civil.year % 100)
    append(" ")
    append(twoDigits: time / 3600)
    append(":")
    append(twoDigits: time / 60 % 60)
    append(":")
    append(twoDigits: time % 60)
    append(" GMT")
  }

  /// The written form.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.length)
    append(to: &bytes)
    return bytes
  }

  /// Appends the RFC 3339 form, `1994-11-06T08:49:37Z`.
  public func appendTimestamp(to bytes: inout [UInt8]) {
    let civil = Self.civil(fromDays: seconds / 86_400)
    let time = seconds % 86_400
    let parts: [(value: Int64, digits: Int64, after: StaticString)] = [
      (civil.year, 1000, "-"), (civil.month, 10, "-"), (civil.day, 10, "T"), (time / 3600, 10, ":"),
      (time / 60 % 60, 10, ":"), (time % 60, 10, "Z"),
    ]
    for part in parts {
      var divisor = part.digits
      while divisor > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: part.value / divisor % 10))
        divisor /= 10
      }
      bytes.append(part.after)
    }
  }

  /// Days to a date of the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
  static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension HTTPDate {
  /// Reads any of the three forms that a recipient must know: IMF-fixdate, RFC 850 and asctime. Strict: names of days
  /// and months in their case, one blank where one stands, GMT; nil for anything else, and for dates that do not exist.
  /// - Parameter now: Seconds since 1970; a two-digit year more than 50 years ahead of it is in the past.
  public init?(_ text: Span<UInt8>, now: Int64) {
    var reader = DateReader(now: now)
    guard let seconds = reader.read(text), seconds >= 0 else { return nil }
    self.init(seconds: seconds)
  }

  private struct DateReader {
    let now: Int64
    private var index = 0

    init(now: Int64) { self.now = now }

    mutating func read(_ text: Span<UInt8>) -> Int64? {
      guard let comma = position(of: Octet.comma, in: text) else { return asctime(text) }
      return comma == 3 ? fixdate(text) : rfc850(text, dayLength: comma)
    }

    private func position(of byte: UInt8, in text: Span<UInt8>) -> Int? {
      for index in 0..<min(text.count, 12) where text[index] == byte { return index }
      return nil
    }

    private mutating func fixdate(_ text: Span<UInt8>) -> Int64? {
      guard text.count == 29, weekday(text, length: 3), literal(", ", text), let day = number(2, text),
        literal(" ", text), let month = month(text), literal(" ", text), let year = number(4, text),
        literal(" ", text), let time = time(text), literal(" GMT", text)
      else { return nil }
      return moment(year, month, day, time)
    }

    private mutating func rfc850(_ text: Span<UInt8>, dayLength: Int) -> Int64? {
      guard weekday(text, length: dayLength), literal(", ", text), let day = number(2, text), literal("-", text),
        let month = month(text), literal("-", text), let short = number(2, text), literal(" ", text),
        let time = time(text), literal(" GMT", text), index == text.count
      else { return nil }
      let thisYear = HTTPDate.civil(fromDays: now / 86_400).year
      var year = thisYear / 100 * 100 + short
      if year > thisYear + 50 { year -= 100 }
      return moment(year, month, day, time)
    }

    private mutating func asctime(_ text: Span<UInt8>) -> Int64? {
      guard text.count == 24, weekday(text, length: 3), literal(" ", text), let month = month(text),
        literal(" ", text)
      else { return nil }
      let isPadded = text[index] == Octet.space
      if isPadded { index += 1 }
      guard let day = number(isPadded ? 1 : 2, text), literal(" ", text), let time = time(text), literal(" ", text),
        let year = number(4, text)
      else { return nil }
      return moment(year, month, day, time)
    }

    private func moment(_ year: Int64, _ month: Int64, _ day: Int64, _ time: Int64) -> Int64? {
      guard year >= 1, day >= 1 else { return nil }
      let days = HTTPDate.days(year: year, month: month, day: day)
      // A day that the month does not have comes back as another date.
      guard days >= 0, HTTPDate.civil(fromDays: days) == (year, month, day) else { return nil }
      return days * 86_400 + time
    }

    private mutating func literal(_ expected: StaticString, _ text: Span<UInt8>) -> Bool {
      let end = index + expected.utf8CodeUnitCount
      guard end <= text.count, text.extracting(index..<end).equals(expected) else { return false }
      index = end
      return true
    }

    private mutating func number(_ digits: Int, _ text: Span<UInt8>) -> Int64? {
      guard index + digits <= text.count, let value = text.decimal(index..<index + digits) else { return nil }
      index += digits
      return Int64(value)
    }

    private mutating func time(_ text: Span<UInt8>) -> Int64? {
      guard let hour = number(2, text), literal(":", text), let minute = number(2, text), literal(":", text),
        let second = number(2, text), hour < 24, minute < 60, second <= 60
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    private mutating func month(_ text: Span<UInt8>) -> Int64? {
      guard index + 3 <= text.count else { return nil }
      let name = text.extracting(index..<index + 3)
      for (number, month) in HTTPDate.months.enumerated() where name.equals(month) {
        index += 3
        return Int64(number + 1)
      }
      return nil
    }

    private mutating func weekday(_ text: Span<UInt8>, length: Int) -> Bool {
      guard index + length <= text.count else { return false }
      let name = text.extracting(index..<index + length)
      let names: [StaticString] =
        length == 3
        ? HTTPDate.days : ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
      for day in names where name.equals(day) {
        index += length
        return true
      }
      return false
    }
  }
}
