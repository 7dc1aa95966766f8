import Testing
import Text

@Suite("Decimal digits in bytes")
struct DecimalTests {
  @Test(
    "Digits are read as they stand",
    arguments: [("0", 0), ("007", 7), ("12640", 12_640), ("9223372036854775807", Int64.max)] as [(String, Int64)])
  func reads(text: String, number: Int64) throws {
    #expect(try Decimal.parse(text.utf8) as Int64 == number)
    let bytes = Array(text.utf8)
    #expect(try Decimal.parse(bytes.span, as: Int64.self) == number)
  }

  @Test(
    "Anything else is refused, with its place",
    arguments: [
      ("", .empty), ("+5", .notADigit(offset: 0)), ("-5", .notADigit(offset: 0)), ("5 ", .notADigit(offset: 1)),
      ("1_000", .notADigit(offset: 1)), ("٣", .notADigit(offset: 0)), ("9223372036854775808", .overflow),
      ("99999999999999999999999999", .overflow),
    ] as [(String, DecimalFault)])
  func refuses(text: String, fault: DecimalFault) {
    #expect(throws: fault) { try Decimal.parse(text.utf8, as: Int64.self) }
    #expect(throws: fault) { try Decimal.parse(Array(text.utf8).span, as: Int64.self) }
  }

  @Test("A small type overflows at its own edge")
  func smallType() throws {
    #expect(try Decimal.parse("255".utf8, as: UInt8.self) == 255)
    #expect(throws: DecimalFault.overflow) { try Decimal.parse("256".utf8, as: UInt8.self) }
  }
}
