/// The first line of a request (RFC 9112, section 3), in ranges from the head's start.
struct RequestLine {
  let method: Method
  let version: ProtocolVersion
  let methodRange: Range<Int>
  let target: RequestTarget

  /// Takes `line`, which stands `offset` bytes behind the head's start.
  init(_ line: Span<UInt8>, at offset: Int) throws(RequestFault) {
    var end = 0
    while end < line.count, line[end].isTokenCharacter { end += 1 }
    guard end > 0, end < line.count, line[end] == Octet.space else {
      throw .malformed("a request line without a method")
    }
    method = Method(line.extracting(0..<end))
    methodRange = offset..<offset + end

    let targetStart = end + 1
    var targetEnd = targetStart
    while targetEnd < line.count, line[targetEnd] != Octet.space { targetEnd += 1 }
    guard targetEnd > targetStart, targetEnd < line.count else {
      throw .malformed("a request line without target and version")
    }
    version = try Self.version(line.extracting(targetEnd + 1..<line.count))
    target = try RequestTarget(
      line.extracting(targetStart..<targetEnd), at: offset + targetStart, isOptions: method == .options)
  }

  private static func version(_ text: Span<UInt8>) throws(RequestFault) -> ProtocolVersion {
    guard text.count == 8, text.extracting(0..<5).equals("HTTP/"), text[5].isDigit, text[6] == UInt8(ascii: "."),
      text[7].isDigit
    else { throw .malformed("a request line without an HTTP version") }
    guard text[5] == UInt8(ascii: "1") else { throw .versionNotSupported }
    return text[7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}

/// A request target in one of its forms (RFC 9112, section 3.2), in ranges from the head's start.
struct RequestTarget {
  private(set) var path = 0..<0
  private(set) var query: Range<Int>?
  private(set) var authority: Range<Int>?
  private(set) var scheme: RequestHead.TargetScheme?
  private(set) var isAsterisk = false

  init(_ text: Span<UInt8>, at offset: Int, isOptions: Bool) throws(RequestFault) {
    if text[0] == Octet.slash {
      try takePath(text, from: 0, at: offset)
    } else if text.count == 1, text[0] == UInt8(ascii: "*"), isOptions {
      isAsterisk = true
      path = offset..<offset
    } else if let start = takeScheme(text) {
      try takeAuthority(text, from: start, at: offset)
    } else {
      throw .malformed("a target that is neither a path nor an absolute URL")
    }
  }

  private mutating func takeScheme(_ text: Span<UInt8>) -> Int? {
    if text.count >= 7, text.extracting(0..<7).equalsIgnoringCase("http://") {
      scheme = .http
      return 7
    }
    if text.count >= 8, text.extracting(0..<8).equalsIgnoringCase("https://") {
      scheme = .https
      return 8
    }
    return nil
  }

  private mutating func takeAuthority(_ text: Span<UInt8>, from start: Int, at offset: Int) throws(RequestFault) {
    var end = start
    while end < text.count, text[end] != Octet.slash, text[end] != Octet.question { end += 1 }
    guard Authority.isValid(text.extracting(start..<end)) else {
      throw .malformed("a target whose host is not a host and port")
    }
    authority = offset + start..<offset + end
    guard end < text.count, text[end] == Octet.slash else {
      // `http://host` and `http://host?query` have an empty path, for which no endpoint stands but the root's.
      throw .malformed("an absolute target without a path")
    }
    try takePath(text, from: end, at: offset)
  }

  private mutating func takePath(_ text: Span<UInt8>, from start: Int, at offset: Int) throws(RequestFault) {
    var end = start
    var hasEscape = false
    let allowed = ASCIISet.target
    while end < text.count, text[end] != Octet.question {
      guard allowed.contains(text[end]) else {
        throw .malformed("a character in the path that must be escaped")
      }
      if text[end] == Octet.percent { hasEscape = true }
      end += 1
    }
    if hasEscape, !PercentEncoding.isCleanPath(text.extracting(start..<end)) {
      throw .malformed("an escape in the path that is broken, or stands for a control character or invalid UTF-8")
    }
    path = offset + start..<offset + end
    guard end < text.count else { return }
    let allowedInQuery = ASCIISet.query
    for index in end + 1..<text.count where !allowedInQuery.contains(text[index]) {
      throw .malformed("a character in the query that must be escaped")
    }
    query = offset + end + 1..<offset + text.count
  }
}
