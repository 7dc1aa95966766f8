/// The brackets, strings and commas of a text that may or may not be JSON: enough to say where it goes wrong, and used for
/// nothing else.
struct JSONOutline {
  /// What the brackets of a text say about it.
  enum Finding: Equatable {
    /// Every bracket and string is closed by its like.
    case balanced
    /// The bracket or string at this offset is never closed.
    case unclosed(Int)
    /// The bracket at this offset closes nothing, or another kind.
    case unmatched(Int)
    /// The bracket at this offset stands in ``JSONOutline/deepest`` others.
    case tooDeep(Int)
  }

  /// Brackets that may stand in each other: three times what any document of the shop has.
  ///
  /// The decoder itself takes 512, but each value that it is asked about costs it time for every level above: three
  /// kilobytes of nested objects took twelve seconds.
  static let deepest = 16

  let bytes: [UInt8]

  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether all brackets match.
  var finding: Finding {
    var open: [Int] = []
    var offset = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(from: offset, before: bytes.count) else { return .unclosed(offset) }
        offset = end
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard open.count < Self.deepest else { return .tooDeep(offset) }
        open.append(offset)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        // In ASCII, a closing bracket of either kind is its opening one plus two.
        guard let opener = open.popLast(), bytes[opener] + 2 == bytes[offset] else { return .unmatched(offset) }
      default:
        break
      }
      offset += 1
    }
    return open.last.map(Finding.unclosed) ?? .balanced
  }

  /// The range without white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isWhitespace(bytes[start]) { start += 1 }
    while start < end, Self.isWhitespace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// The parts of a range between the separators that stand in no bracket or string of it, found one by one.
  func parts(of range: Range<Int>, separator: UInt8) -> Parts {
    Parts(outline: self, rest: range, separator: separator)
  }

  /// Goes through the parts of a range.
  struct Parts: Sequence, IteratorProtocol {
    let outline: JSONOutline
    var rest: Range<Int>?
    let separator: UInt8

    mutating func next() -> Range<Int>? {
      guard let range = rest else { return nil }
      let end = outline.endOfPart(in: range, separator: separator)
      rest = end < range.upperBound ? end + 1..<range.upperBound : nil
      return range.lowerBound..<end
    }
  }

  /// The offset of the first separator in no bracket or string, or the range's end.
  private func endOfPart(in range: Range<Int>, separator: UInt8) -> Int {
    var (offset, depth) = (range.lowerBound, 0)
    while offset < range.upperBound {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset = endOfString(from: offset, before: range.upperBound) ?? range.upperBound
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
      case separator where depth == 0:
        return offset
      default:
        break
      }
      offset += 1
    }
    return range.upperBound
  }

  /// The offset behind the string that begins at `start`.
  private func endOfString(from start: Int, before limit: Int) -> Int? {
    var offset = start + 1
    while offset < limit {
      switch bytes[offset] {
      case UInt8(ascii: "\\"): offset += 2
      case UInt8(ascii: "\""): return offset + 1
      default: offset += 1
      }
    }
    return nil
  }
}
