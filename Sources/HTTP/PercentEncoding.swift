/// Percent-encoding (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Decodes a path segment: escapes become bytes, everything else stays.
  /// - Returns: nil when an escape is broken.
  public static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    decode(text, plusIsSpace: false)
  }

  /// Decodes a name or value of a query as forms write it: escapes become bytes, `+` a space.
  /// - Returns: nil when an escape is broken.
  public static func decodeForm(_ text: Span<UInt8>) -> [UInt8]? {
    decode(text, plusIsSpace: true)
  }

  private static func decode(_ text: Span<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == Octet.percent {
        guard let byte = escaped(text, index) else { return nil }
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(plusIsSpace && text[index] == UInt8(ascii: "+") ? Octet.space : text[index])
        index += 1
      }
    }
    return bytes
  }

  private static func escaped(_ text: Span<UInt8>, _ index: Int) -> UInt8? {
    guard index + 2 < text.count, let high = text[index + 1].hexValue, let low = text[index + 2].hexValue else {
      return nil
    }
    return high << 4 | low
  }

  /// Whether every escape of a path is whole, none stands for NUL, CR or LF, and the decoded bytes are UTF-8
  /// (RFC 3629: shortest forms, no surrogates, up to U+10FFFF). Allocates nothing.
  static func isCleanPath(_ path: Span<UInt8>) -> Bool {
    var utf8 = UTF8Validator()
    var index = 0
    while index < path.count {
      var byte = path[index]
      if byte == Octet.percent {
        guard let decoded = escaped(path, index) else { return false }
        guard decoded != 0, decoded != Octet.carriageReturn, decoded != Octet.lineFeed else { return false }
        byte = decoded
        index += 3
      } else {
        index += 1
      }
      guard utf8.take(byte) else { return false }
    }
    return utf8.isAtBoundary
  }
}

/// Checks UTF-8 a byte at a time (RFC 3629, section 4).
struct UTF8Validator {
  private var remaining = 0
  /// What the next continuation byte may be.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xbf

  var isAtBoundary: Bool { remaining == 0 }

  mutating func take(_ byte: UInt8) -> Bool {
    if remaining > 0 {
      guard byte >= lowest, byte <= highest else { return false }
      (lowest, highest) = (0x80, 0xbf)
      remaining -= 1
      return true
    }
    switch byte {
    case 0x00...0x7f: return true
    case 0xc2...0xdf: remaining = 1
    case 0xe0: (remaining, lowest) = (2, 0xa0)
    case 0xed: (remaining, highest) = (2, 0x9f)
    case 0xe1...0xef: remaining = 2
    case 0xf0: (remaining, lowest) = (3, 0x90)
    case 0xf1...0xf3: remaining = 3
    case 0xf4: (remaining, highest) = (3, 0x8f)
    default: return false
    }
    return true
  }
}
