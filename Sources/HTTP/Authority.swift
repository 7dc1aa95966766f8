import Glibc

/// Host and port of a Host field or an absolute target (RFC 3986, section 3.2, without user information).
enum Authority {
  static func isValid(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, text.count <= 300 else { return false }
    let hostEnd: Int
    if text[0] == UInt8(ascii: "[") {
      guard let end = addressLiteralEnd(text) else { return false }
      hostEnd = end
    } else {
      var end = 0
      let registeredName = ASCIISet.registeredName
      while end < text.count, text[end] != Octet.colon {
        guard isHostCharacter(text, end, registeredName) else { return false }
        end += 1
      }
      guard end > 0 else { return false }
      hostEnd = end
    }
    guard hostEnd < text.count else { return true }
    guard text[hostEnd] == Octet.colon else { return false }
    // An empty port is allowed by the grammar.
    guard hostEnd + 1 < text.count else { return true }
    return text.decimal(hostEnd + 1..<text.count).map { $0 <= 65_535 } ?? false
  }

  private static func isHostCharacter(_ text: Span<UInt8>, _ index: Int, _ registeredName: ASCIISet) -> Bool {
    let byte = text[index]
    if byte == Octet.percent {
      return index + 2 < text.count && text[index + 1].hexValue != nil && text[index + 2].hexValue != nil
    }
    // A comma is in the grammar, but two hosts in one field are what attacks look like.
    return byte != Octet.comma && registeredName.contains(byte)
  }

  /// The offset behind `]` of an IPv6 address in brackets.
  private static func addressLiteralEnd(_ text: Span<UInt8>) -> Int? {
    var end = 1
    // Not past a zero byte, where C would see the end.
    while end < text.count, text[end] != UInt8(ascii: "]"), text[end] != 0 { end += 1 }
    guard end < text.count, text[end] != 0, end <= 46 else { return nil }
    var address = in6_addr()
    var literal = text.extracting(1..<end).array.map { CChar(bitPattern: $0) }
    literal.append(0)
    return inet_pton(AF_INET6, literal, &address) == 1 ? end + 1 : nil
  }
}
