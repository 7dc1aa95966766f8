/// The escapes that RFC 8259, section 7 demands, and no others.
enum JSONEscaping {
  /// Appends UTF-8 as the inside of a JSON string: runs that need no escape are copied whole.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var start = 0
    for (offset, byte) in text.enumerated() where needsEscape(byte) {
      bytes.append(contentsOf: text[start..<offset])
      appendEscape(of: byte, to: &bytes)
      start = offset + 1
    }
    bytes.append(contentsOf: text[start...])
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      let digits: StaticString = "0123456789abcdef"
      bytes.append(contentsOf: "u00".utf8)
      digits.withUTF8Buffer {
        bytes.append($0[Int(byte >> 4)])
        bytes.append($0[Int(byte & 15)])
      }
    }
  }
}
