/// Where an operator puts something below the shop's root: a path of plain segments.
enum PathPrefix {
  /// The path without a slash at its end, empty for the root; nil for what is no such path.
  static func plain(_ text: String) -> String? {
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    let prefix = text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
    guard !prefix.isEmpty else { return "" }
    let segments = prefix.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return segments.allSatisfy(isPlain) ? prefix : nil
  }

  /// Whether a segment needs no escaping (RFC 3986, section 2.3) and is not made of dots alone, which would lead elsewhere.
  private static func isPlain(_ segment: Substring.UTF8View.SubSequence) -> Bool {
    !segment.allSatisfy { $0 == UInt8(ascii: ".") }
      && segment.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~".utf8.contains(byte)
        }
      }
  }
}
