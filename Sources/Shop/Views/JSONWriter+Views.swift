import FoundationEssentials
import JSON

extension JSONWriter {
  /// Writes an integer, or null.
  mutating func write(orNull number: Int64?) {
    if let number { write(number) } else { writeNull() }
  }

  /// Writes a string, or null.
  mutating func write(orNull text: String?) {
    if let text { write(text) } else { writeNull() }
  }
}

/// A colour in writing.
enum ColorText {
  /// `0xRRGGBB` as `#rrggbb`.
  static func hex(_ color: UInt32) -> String {
    let digits = String(color & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }
}

/// Bytes in writing (RFC 4648, section 4).
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
