/// What bytes mean in HTTP. Never `Character`: "\r\n" is one of those, and a Kelvin sign lower-cases to "k".
enum Octet {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let percent = UInt8(ascii: "%")
  static let comma = UInt8(ascii: ",")
  static let slash = UInt8(ascii: "/")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let equals = UInt8(ascii: "=")
  static let question = UInt8(ascii: "?")
  static let backslash = UInt8(ascii: "\\")
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  var isBlank: Bool { self == Octet.space || self == Octet.tab }

  /// The value of a hexadecimal digit.
  var hexValue: UInt8? {
    if isDigit { return self &- 0x30 }
    let letter = self | 0x20
    return letter &- 0x61 < 6 ? letter &- 0x57 : nil
  }

  /// The letter in lower case; any other byte as it is.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// A `tchar` of RFC 9110, section 5.6.2. Letters and dashes, of which names are made, are the short way.
  var isTokenCharacter: Bool { isLetter || self == UInt8(ascii: "-") || ASCIISet.token.contains(self) }

  /// A byte that may stand in a field value: tab, space, visible ASCII, and obs-text (RFC 9110, section 5.5).
  var isFieldCharacter: Bool { (self >= 0x20 && self != 0x7f) || self == Octet.tab }
}

extension UInt64 {
  /// Whether one of the eight bytes is below a space, or is DEL.
  fileprivate var hasControlCharacter: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highBits = ones << 7
    let deleteAsZero = self ^ ones &* 0x7f
    let belowSpace = (self &- ones &* 0x20) & ~self
    let isZero = (deleteAsZero &- ones) & ~deleteAsZero
    return (belowSpace | isZero) & highBits != 0
  }
}

/// A set of ASCII characters as two words of bits.
struct ASCIISet: Sendable {
  private let low: UInt64
  private let high: UInt64

  init(_ characters: StaticString, lettersAndDigits: Bool) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    func insert(_ byte: UInt8) {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
    characters.withUTF8Buffer { for byte in $0 where byte < 128 { insert(byte) } }
    if lettersAndDigits {
      for byte in UInt8(0)..<128 where byte.isDigit || byte.isLetter { insert(byte) }
    }
    self.low = low
    self.high = high
  }

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte &- 64) & 1 == 1
  }

  /// The `tchar` set, as constants because every name of every request is looked up here; a test derives it anew.
  static var token: ASCIISet { ASCIISet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }
  /// `pchar`, the slash and the escape sign (RFC 3986, section 3.3), and brackets, which some clients leave raw.
  static let target = ASCIISet("!$%&'()*+,-./:;=@[]_~", lettersAndDigits: true)
  /// Those and the question mark, and the bar and braces that URL builders leave raw in queries.
  static let query = ASCIISet("!$%&'()*+,-./:;=?@[]_~|{}", lettersAndDigits: true)
  /// unreserved and sub-delims (RFC 3986, section 2), of which registered names are made.
  static let registeredName = ASCIISet("-._~!$&'()*+,;=", lettersAndDigits: true)
}

extension Span<UInt8> {
  /// Whether the bytes are those of an ASCII literal.
  @inline(__always)
  func equals(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    let expected = literal.utf8Start
    for index in 0..<count where self[index] != expected[index] { return false }
    return true
  }

  /// Whether the bytes are those of a lower-case ASCII literal, whatever the case of their letters.
  @inline(__always)
  public func equalsIgnoringCase(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    let expected = literal.utf8Start
    for index in 0..<count where self[index].lowercased != expected[index] { return false }
    return true
  }

  /// Whether all bytes may stand in a field value. Eight are looked at together: a browser sends five hundred of them
  /// with each request, and hardly ever a tab, which is all that is looked at alone.
  var isFieldText: Bool {
    withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if word.hasControlCharacter {
          for byte in bytes[index..<index + 8] where !byte.isFieldCharacter { return false }
        }
        index += 8
      }
      for byte in bytes[index...] where !byte.isFieldCharacter { return false }
      return true
    }
  }

  /// The range without blanks at either end.
  public func trimmed(_ range: Range<Int>) -> Range<Int> {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper, self[lower].isBlank { lower += 1 }
    while lower < upper, self[upper - 1].isBlank { upper -= 1 }
    return lower..<upper
  }

  /// A decimal number of one or more digits and nothing else; nil when there is anything else or it does not fit.
  func decimal(_ range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    var value = 0
    for index in range {
      guard self[index].isDigit else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) = tens.addingReportingOverflow(Int(self[index] &- 0x30))
      guard !overflow, !carried else { return nil }
      value = sum
    }
    return value
  }

  /// Calls `body` with the range of each element of a comma-separated list, trimmed, empty ones left out, commas in
  /// quoted strings respected (RFC 9110, section 5.6.1). Stops when `body` returns false.
  /// - Parameter hasEscapes: Whether a backslash escapes in quotes: it does in quoted strings, and not in entity tags.
  func forEachListElement(hasEscapes: Bool = true, _ body: (Range<Int>) -> Bool) {
    var start = 0
    var index = 0
    var isQuoted = false
    while index <= count {
      let isEnd = index == count
      if !isEnd, isQuoted {
        // A backslash as the last byte escapes nothing: the end must not be stepped over.
        if hasEscapes, self[index] == Octet.backslash, index + 1 < count {
          index += 1
        } else if self[index] == Octet.quote {
          isQuoted = false
        }
      } else if !isEnd, self[index] == Octet.quote {
        isQuoted = true
      } else if isEnd || self[index] == Octet.comma {
        let element = trimmed(start..<index)
        if !element.isEmpty, !body(element) { return }
        start = index + 1
      }
      index += 1
    }
  }

  /// The bytes as an array.
  public var array: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      for index in 0..<count { buffer.initializeElement(at: index, to: self[index]) }
      filled = count
    }
  }
}
