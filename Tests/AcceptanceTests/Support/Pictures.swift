import FoundationEssentials

/// Tiny, valid pictures.
enum Picture {
  /// A grey JPEG of 8 × 8; a name makes its bytes its own, `padding` makes it longer.
  static func jpeg(_ name: String, padding: Int = 0) -> [UInt8] {
    var bytes = grey
    // A comment segment after the start marker: its length counts its own two bytes.
    for part in [Array(name.utf8)] + padded(padding) {
      bytes.insert(
        contentsOf: [0xFF, 0xFE, UInt8((part.count + 2) >> 8), UInt8((part.count + 2) & 0xFF)] + part, at: 2)
    }
    return bytes
  }

  /// A grey PNG of 3 × 2.
  static let png = decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAEElEQVR42mOsYGBgYmBgAAADYAB8+z/wpQAAAABJRU5ErkJggg==")

  /// A brown WebP of 3 × 2.
  static let webp = decode("UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAdQlOKVov+BiOh/AAA=")

  private static let grey = decode(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqm\
    x5moq6T/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AL//Z
    """)

  private static func padded(_ count: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: 60_000).map { Array(repeating: 0x2E, count: min(60_000, count - $0)) }
  }

  private static func decode(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }
}
