/// What the Transfer-Encoding fields of a request name, gathered line by line (RFC 9112, sections 6.1 and 7).
///
/// Only `chunked` is known, and its place decides where the body ends, so the list is read to the letter: an element that
/// is no coding, an empty one, `chunked` twice, with parameters or before another coding is a malformed request. A
/// well-formed coding that is merely unknown is not implemented.
struct TransferCodings {
  /// Whether there was a field at all.
  private(set) var isNamed = false
  private(set) var isMalformed = false
  private(set) var hasUnknown = false
  private var isChunked = false

  mutating func note(_ line: Span<UInt8>) {
    isNamed = true
    var start = 0
    for index in 0...line.count where index == line.count || line[index] == Octet.comma {
      take(line.extracting(line.trimmed(start..<index)))
      start = index + 1
    }
  }

  private mutating func take(_ element: Span<UInt8>) {
    var end = 0
    while end < element.count, element[end].isTokenCharacter { end += 1 }
    // Nothing may follow chunked. Parameters of other codings may be anything but a string, which could hold a comma.
    guard end > 0, !isChunked else { return isMalformed = true }
    if end < element.count {
      let rest = element.trimmed(end..<element.count)
      guard element[rest.lowerBound] == Octet.semicolon else { return isMalformed = true }
      for index in rest where element[index] == Octet.quote { return isMalformed = true }
    }
    guard element.extracting(0..<end).equalsIgnoringCase("chunked") else { return hasUnknown = true }
    if end < element.count { isMalformed = true }
    isChunked = true
  }
}
