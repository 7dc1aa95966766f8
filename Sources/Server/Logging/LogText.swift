import HTTP

/// What others wrote, as it may stand in a line of the log: no byte of it begins another line, ends a quotation, or speaks to
/// a terminal.
extension [UInt8] {
  /// Appends bytes that came from a client. What is not visible ASCII or a space is written as its number: `\x1b` in text,
  /// `\u001b` in JSON. Three dots stand for what is longer than `limit` bytes.
  mutating func append(logged bytes: Span<UInt8>, upTo limit: Int, as format: LogFormat) {
    let end = Swift.min(limit, bytes.count)
    var start = 0
    for index in 0..<end where !bytes[index].isPlainInLog {
      append(contentsOf: bytes.extracting(start..<index))
      append(escaped: bytes[index], as: format)
      start = index + 1
    }
    append(contentsOf: bytes.extracting(start..<end))
    if end < bytes.count { append("...") }
  }

  /// Appends a text of ours, which may quote others. Letters of any language stay as they are.
  mutating func append(logged text: String, as format: LogFormat) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0: append(escaped: UInt8(truncatingIfNeeded: scalar.value), as: format)
      case 0x22 where format == .json, 0x5c where format == .json:
        append(escaped: UInt8(truncatingIfNeeded: scalar.value), as: format)
      default: append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  private mutating func append(contentsOf bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  private mutating func append(escaped byte: UInt8, as format: LogFormat) {
    if format == .json, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      append(UInt8(ascii: "\\"))
      return append(byte)
    }
    append(format == .json ? "\\u00" : "\\x")
    append(Self.digit(byte >> 4))
    append(Self.digit(byte & 15))
  }

  /// Appends a number in sixteen hexadecimal digits.
  mutating func append(hex number: UInt64) {
    for place in 0..<16 { append(Self.digit(UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15)) }
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}

extension UInt8 {
  /// Visible ASCII or a space, and none of the two that mean something in a quotation.
  @inline(__always)
  fileprivate var isPlainInLog: Bool {
    self >= 0x20 && self < 0x7f && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
