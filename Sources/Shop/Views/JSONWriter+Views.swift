import Catalog
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

extension JSONWriter {
  /// Writes the members that say what is known of a picture; null until it is.
  mutating func members(of facts: PictureFacts?) {
    key("width")
    write(orNull: facts?.width.map(Int64.init))
    key("height")
    write(orNull: facts?.height.map(Int64.init))
    key("color")
    write(orNull: facts?.color.map(ColorText.hex))
    key("placeholder")
    write(orNull: facts?.placeholder.map(Base64.encode))
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
