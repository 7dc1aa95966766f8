/// Why bytes are not a JSON document, with the place where it can be told.
public enum JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is nothing but white space.
  case empty
  /// The byte at this offset (from 0) begins no valid UTF-8 sequence.
  case invalidUTF8(offset: Int)
  /// The text ends inside the character that begins at this offset (from 0).
  case endsInCharacter(offset: Int)
  /// The byte at this offset (from 0) is zero: the text is UTF-16, or damaged.
  case zeroByte(offset: Int)
  /// The text ends before the bracket or string that opens here is closed.
  case endsEarly(opened: TextPlace)
  /// The bracket here closes nothing, or another kind than was opened.
  case unmatchedBracket(at: TextPlace)
  /// The bracket here stands in more others than any document of the shop needs.
  case tooDeep(at: TextPlace)
  /// What begins here is not JSON.
  case malformed(at: TextPlace, excerpt: String)
  /// A value is spelt wrongly, in a document whose structure is right.
  case malformedValue(MalformedValue, pointer: JSONPointer)

  /// The values that have a spelling to get wrong.
  public enum MalformedValue: Equatable, Sendable {
    /// A bad escape, half a surrogate pair, or a raw control character.
    case string
    /// A leading zero, nothing after the point, or too large for 64 bits of floating point.
    case number
  }

  /// One sentence that says what is wrong and where.
  public var description: String {
    switch self {
    case .empty: "The text is empty."
    case .invalidUTF8(let offset): "The byte at offset \(offset) is not UTF-8: save the text as UTF-8."
    case .endsInCharacter(let offset): "The text ends inside the character at offset \(offset): the rest is missing."
    case .zeroByte(let offset): "The byte at offset \(offset) is zero: save the text as UTF-8, not UTF-16."
    case .endsEarly(let opened): "The text ends before what opens at \(opened) is closed: the rest is missing."
    case .unmatchedBracket(let place): "The bracket at \(place) does not match an open one."
    case .tooDeep(let place):
      "The bracket at \(place) is more than \(JSONOutline.deepest) deep: JSON of this shop is never so deep."
    case .malformed(let place, let excerpt): "The text at \(place) is not JSON: \(excerpt)"
    case .malformedValue(.string, let pointer):
      "The string at \(pointer.shown) has a bad escape, half a surrogate pair or a raw control character."
    case .malformedValue(.number, let pointer): "The number at \(pointer.shown) is not written as JSON writes numbers."
    }
  }
}

/// A place in a text as an editor counts it.
public struct TextPlace: Equatable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The Unicode scalar in the line, from 1.
  public let column: Int

  /// A place from its numbers.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of a byte offset in UTF-8.
  init(of offset: Int, in bytes: [UInt8]) {
    var (line, column) = (1, 1)
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(line: line, column: column)
  }

  /// “line 3, column 14”.
  public var description: String { "line \(line), column \(column)" }
}
