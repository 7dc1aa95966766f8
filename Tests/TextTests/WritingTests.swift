import Testing
import Text

@Suite("Numbers, names and times in writing")
struct WritingTests {
  @Test(
    "Thousands are set apart by commas",
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (12_640, "12,640"), (1_000_000, "1,000,000"),
      (-12_640, "-12,640"), (.max, "9,223,372,036,854,775,807"), (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int64, String)])
  func groups(number: Int64, text: String) {
    #expect(Grouping.thousands(number) == text)
  }

  @Test(
    "Base 32 takes the first bits, five to a character",
    arguments: [
      ([], 60, ""), ([0], 5, "0"), ([0xFF], 5, "z"), ([0xFF], 8, "zw"),
      ([0x00, 0x44, 0x32, 0x14, 0xC7], 40, "01234567"),
      ([0x00, 0x44, 0x32, 0x14, 0xC7], 20, "0123"), ([0xFF], 60, "zw"), ([1, 2], 0, ""), ([1, 2], -3, ""),
    ] as [([UInt8], Int, String)])
  func encodes(bytes: [UInt8], bits: Int, text: String) {
    #expect(Base32.encode(bytes, bits: bits) == text)
  }

  @Test("Sixty bits of a digest make twelve characters without i, l, o and u")
  func pictureName() {
    let name = Base32.encode(UInt8(7)...200, bits: 60)
    #expect(name.utf8.count == 12)
    #expect(name.allSatisfy { !"ilou".contains($0) })
  }

  @Test(
    "Times are UTC with whole seconds",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_709_285_399, "2024-03-01T09:29:59Z"),
      (-1, "1969-12-31T23:59:59Z"), (4_102_444_800, "2100-01-01T00:00:00Z"), (.max, "9999-12-31T23:59:59Z"),
      (.min, "0000-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func stamps(seconds: Int64, text: String) {
    #expect(Timestamp.rfc3339(seconds) == text)
  }
}
