/// Decimal digits, and nothing but digits.
enum Digits {
  static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int64(text)
  }

  /// A number and what stands behind it; a space may stand between.
  static func split(_ text: String) -> (number: Int64, unit: String)? {
    let digits = text.prefix { "0"..."9" ~= $0 && $0.isASCII }
    guard let number = number(digits) else { return nil }
    let rest = text[digits.endIndex...]
    return (number, String(rest.first == " " ? rest.dropFirst() : rest))
  }
}

/// Sizes as operators write them: `512MB` is 512,000,000 bytes, `1GiB` is 1,073,741,824.
enum ByteSize {
  private static let units: [(name: String, bytes: Int64)] = [
    ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("KB", 1_000), ("B", 1),
  ]

  static func bytes(_ text: String) -> Int64? {
    guard let (number, name) = Digits.split(text) else { return nil }
    guard !name.isEmpty else { return number }
    guard let unit = units.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
    return overflow ? nil : product
  }

  /// In the largest unit that leaves no fraction.
  static func text(_ bytes: Int64) -> String {
    let fitting = units.filter { bytes != 0 && bytes % $0.bytes == 0 }.max { $0.bytes < $1.bytes }
    guard let unit = fitting else { return "\(bytes)B" }
    return "\(bytes / unit.bytes)\(unit.name)"
  }
}

/// Times as operators write them: `250ms`, `10s`, `5m`, `1h`, `7d`. A bare number counts seconds.
enum TimeSpan {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  static func milliseconds(_ text: String) -> Int64? {
    guard let (number, name) = Digits.split(text) else { return nil }
    guard let unit = units.first(where: { $0.name == (name.isEmpty ? "s" : name) }) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
    return overflow ? nil : product
  }

  /// In the largest unit that leaves no fraction.
  static func text(_ milliseconds: Int64) -> String {
    guard milliseconds != 0, let unit = units.first(where: { milliseconds % $0.milliseconds == 0 }) else {
      return "\(milliseconds / 1_000)s"
    }
    return "\(milliseconds / unit.milliseconds)\(unit.name)"
  }
}
