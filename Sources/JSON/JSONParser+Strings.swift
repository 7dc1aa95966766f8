extension JSONParser {
  /// Section 7: a string. A run without escapes is taken over whole.
  mutating func string() throws(JSONSyntaxError) -> String {
    let start = offset
    offset += 1
    let run = try run(from: start)
    if bytes[offset] == UInt8(ascii: "\"") {
      offset += 1
      return String(decoding: bytes[run], as: UTF8.self)
    }
    var text = Array(bytes[run])
    while bytes[offset] == UInt8(ascii: "\\") {
      try appendEscaped(to: &text, from: start)
      text.append(contentsOf: bytes[try self.run(from: start)])
    }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes up to the next quote or backslash, which is there.
  private mutating func run(from start: Int) throws(JSONSyntaxError) -> Range<Int> {
    let runStart = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return runStart..<offset
      case let byte where byte < 0x20: throw error(byte == 0 ? .zeroByte : .controlCharacter(byte))
      default: offset += 1
      }
    }
    throw endsEarly(from: start)
  }

  /// A backslash, and what it escapes.
  private mutating func appendEscaped(to text: inout [UInt8], from start: Int) throws(JSONSyntaxError) {
    let escape = offset
    offset += 1
    guard let byte = next else { throw endsEarly(from: start) }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar(escape: escape, from: start)).utf8)
    default: throw error(.badEscape, at: escape)
    }
  }

  /// The scalar that `\u` and four digits write, or two of them where it takes a surrogate pair.
  private mutating func scalar(escape: Int, from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try codeUnit(escape: escape, from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let second = offset
    guard UTF16.isLeadSurrogate(first), next == UInt8(ascii: "\\") else { throw error(.loneSurrogate, at: escape) }
    offset += 1
    guard let byte = next else { throw endsEarly(from: start) }
    guard byte == UInt8(ascii: "u") else { throw error(.loneSurrogate, at: escape) }
    offset += 1
    let trail = try codeUnit(escape: second, from: start)
    guard UTF16.isTrailSurrogate(trail) else { throw error(.loneSurrogate, at: escape) }
    return UTF16.decode(UTF16.EncodedScalar([first, trail]))
  }

  /// Four hexadecimal digits.
  private mutating func codeUnit(escape: Int, from start: Int) throws(JSONSyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next else { throw endsEarly(from: start) }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte & 15)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        unit = unit << 4 | UInt16(byte & 15 + 9)
      default: throw error(.badEscape, at: escape)
      }
      offset += 1
    }
    return unit
  }
}
