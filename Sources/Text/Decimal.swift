/// Why bytes are not the decimal number that was asked for.
public enum DecimalFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// There was no byte at all.
  case empty
  /// The byte at this offset is not one of `0`–`9`: no sign, space or other script's digit is taken.
  case notADigit(offset: Int)
  /// The number is well formed and larger than the type holds.
  case overflow

  /// One sentence for a person.
  public var description: String {
    switch self {
    case .empty: "A number is missing."
    case .notADigit(let offset): "The character at offset \(offset) is not a digit from 0 to 9."
    case .overflow: "The number is too large."
    }
  }
}

/// Decimal digits in protocol bytes.
///
/// `Int("+5")` is 5, and `Character.isNumber` knows the digits of fifty scripts, so numbers in a protocol never become a
/// `String` first. Leading zeros are taken (RFC 9110 writes `1*DIGIT`), and nothing here can trap.
public enum Decimal {
  /// The number that `digits` spells, all of it.
  ///
  /// - Throws: `DecimalFault` when there are none, when one is not `0`–`9`, or when the number does not fit.
  @inlinable
  public static func parse<Number: FixedWidthInteger>(
    _ digits: some Sequence<UInt8>, as type: Number.Type = Number.self
  ) throws(DecimalFault) -> Number {
    var number: Number = 0
    var count = 0
    for byte in digits {
      number = try appending(byte, at: count, to: number)
      count += 1
    }
    guard count > 0 else { throw .empty }
    return number
  }

  /// The same over borrowed bytes, such as a field's value in a connection's read buffer.
  @inlinable
  public static func parse<Number: FixedWidthInteger>(
    _ digits: Span<UInt8>, as type: Number.Type = Number.self
  ) throws(DecimalFault) -> Number {
    guard !digits.isEmpty else { throw .empty }
    var number: Number = 0
    for offset in digits.indices {
      number = try appending(digits[offset], at: offset, to: number)
    }
    return number
  }

  @inlinable
  static func appending<Number: FixedWidthInteger>(
    _ byte: UInt8, at offset: Int, to number: Number
  ) throws(DecimalFault) -> Number {
    guard byte >= 0x30, byte <= 0x39 else { throw .notADigit(offset: offset) }
    let (shifted, tooBig) = number.multipliedReportingOverflow(by: 10)
    let (sum, carried) = shifted.addingReportingOverflow(Number(truncatingIfNeeded: byte - 0x30))
    guard !tooBig, !carried else { throw .overflow }
    return sum
  }
}
