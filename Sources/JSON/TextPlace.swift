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

  /// The place of a byte offset in UTF-8. A line ends with LF, CR LF, or CR. Takes time for every byte before it.
  init(of offset: Int, in bytes: [UInt8]) {
    var (line, column, previous) = (1, 1, UInt8(0))
    for byte in bytes.prefix(offset) {
      switch byte {
      case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (line, column) = (line + 1, 1)
      case 0x80...0xBF: break
      default: column += 1
      }
      previous = byte
    }
    self.init(line: line, column: column)
  }

  /// “line 3, column 14”.
  public var description: String { "line \(line), column \(column)" }
}
