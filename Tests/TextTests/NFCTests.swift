@_spi(_Unicode) import Swift
import Testing

@testable import Text

@Suite("Text in NFC")
struct NFCTests {
  @Test(
    "Decomposed text becomes composed, and says whether it was",
    arguments: [
      ("", ""),
      ("abc", "abc"),
      ("김치", "김치"),
      ("\u{1100}\u{1175}\u{11B7}\u{110E}\u{1175}", "\u{AE40}\u{CE58}"),
      ("\u{AC00}\u{11A8}", "\u{AC01}"),
      ("e\u{301}", "\u{E9}"),
      ("\u{212B}", "\u{C5}"),
      ("\u{2126}", "\u{3A9}"),
      ("国\u{F900}", "国\u{8C48}"),
      ("\u{304B}\u{3099}", "\u{304C}"),
      ("a\u{323}\u{307}", "\u{1EA1}\u{307}"),
      ("a\u{307}\u{323}", "\u{1EA1}\u{307}"),
      ("국・찌개 0~10℃ 🍲", "국・찌개 0~10℃ 🍲"),
    ])
  func normalises(given: String, composed: String) {
    #expect(Array(given.nfc.utf8) == Array(composed.utf8))
    #expect(given.isNFC == (Array(given.utf8) == Array(composed.utf8)))
    #expect(given.nfc.isNFC)
  }

  @Test("No scalar that the quick check waves through is changed by NFC, alone or behind one that combines")
  func quickCheckAgrees() {
    for value in UInt32(0)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.isInertInNFC else { continue }
      #expect(scalar.properties.canonicalCombiningClass == .notReordered)
      for text in ["\(scalar)", "가\(scalar)", "\u{1100}\(scalar)", "e\(scalar)", "か\(scalar)"] {
        if !text.unicodeScalars.elementsEqual(text._nfc) { Issue.record("\(scalar) changes \(text)") }
      }
    }
  }
}
