import JSON
import Text

/// The one rule for everything that people read in the shop.
enum ShopText {
  /// The text in NFC, when it has as many characters as it may and no control character among them.
  ///
  /// A character is a Unicode scalar, as in JSON Schema's `maxLength` and SQLite's `length()`, counted after NFC. Line breaks
  /// and tabs are control characters: the clients show one run of text.
  static func checked(_ text: String, length: ClosedRange<Int>) throws(JSONRule) -> String {
    let text = text.nfc
    var count = 0
    for scalar in text.unicodeScalars {
      guard !isControl(scalar) else { throw .controlCharacter }
      count += 1
    }
    guard length.contains(count) else { throw .textLength(length, found: count) }
    return text
  }

  /// Whether a scalar has the general category Cc, which the Unicode Standard promises never to extend.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}

/// The one rule for ids: what fits a URL's path segment without escaping.
enum ShopIdentifier {
  /// The text, when it has 1 to 32 of `A-Z a-z 0-9 - _`.
  static func checked(_ text: String) throws(JSONRule) -> String {
    // On bytes: a Kelvin sign equals K where Swift compares characters.
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isPlain, (1...32).contains(text.utf8.count) else { throw .identifier }
    return text
  }
}
