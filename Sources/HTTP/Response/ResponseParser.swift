/// Reads the heads of answers, byte by byte and strictly, as a client gets them.
///
/// One per request: it passes over interim answers (1xx) and counts their bytes, so that an origin cannot keep a client
/// reading heads for ever.
///
///     var parser = ResponseParser(answersHEAD: false)
///     while true {
///       buffer += try await stream.read(upTo: 16_384)
///       if let (head, used) = try parser.parse(buffer) { … }  // the body begins at buffer[used...]
///     }
public struct ResponseParser: Sendable {
  /// The most bytes that all heads up to the final one may have.
  public static let maximumLength = 32_768

  private let answersHEAD: Bool
  /// Where the head that is being looked for begins.
  private var start = 0
  /// Up to here no end of a head was found.
  private var scanned = 0

  /// - Parameter answersHEAD: whether the request was HEAD, whose answer has no body whatever its fields say.
  public init(answersHEAD: Bool) { self.answersHEAD = answersHEAD }

  /// Looks for a whole final head.
  ///
  /// - Parameter bytes: everything received so far on this request; each call's begin with those of the call before.
  /// - Returns: the head and how many bytes it and the interim heads took, or nil when more bytes are needed.
  public mutating func parse(_ bytes: [UInt8]) throws(ResponseFault) -> (head: ResponseHead, length: Int)? {
    while let end = try endOfHead(bytes) {
      let parsed = try Self.head(Array(bytes[start..<end]), answersHEAD: answersHEAD)
      start = end
      scanned = end
      if let parsed { return (parsed, end) }
    }
    guard bytes.count < Self.maximumLength else { throw .tooLong }
    return nil
  }

  /// One past the empty line that ends a head.
  private mutating func endOfHead(_ bytes: [UInt8]) throws(ResponseFault) -> Int? {
    let limit = min(bytes.count, Self.maximumLength)
    var index = max(scanned, start)
    while index < limit {
      if bytes[index] == lf {
        // A bare LF is a line's end to some and not to others; that is how answers are smuggled.
        guard index > start, bytes[index - 1] == cr else { throw .lineEnding }
        if index - start >= 3, bytes[index - 2] == lf {
          scanned = index + 1
          return index + 1
        }
        if index - start == 1 { throw .statusLine }
      }
      index += 1
    }
    scanned = limit
    return nil
  }

  /// Reads a head with its empty line; nil when it is an interim one.
  private static func head(_ bytes: [UInt8], answersHEAD: Bool) throws(ResponseFault) -> ResponseHead? {
    var lines = Lines()
    let (status, isHTTP10) = try statusLine(bytes[lines.next(in: bytes)])
    var fields: [ResponseHead.Field] = []
    while case let line = lines.next(in: bytes), !line.isEmpty { fields.append(try field(bytes, line)) }
    guard status != 101 else { throw .switchedProtocol }
    guard status >= 200 else { return nil }
    return try ResponseHead(
      status: status, isHTTP10: isHTTP10, answersHEAD: answersHEAD, bytes: bytes, fields: fields)
  }

  /// The lines of a head of which each is known to end in CR LF, and the last to be empty.
  private struct Lines {
    private var start = 0

    mutating func next(in bytes: [UInt8]) -> Range<Int> {
      let end = bytes[start...].firstIndex(of: lf) ?? bytes.count
      defer { start = min(end + 1, bytes.count) }
      return start..<max(start, end - 1)
    }
  }

  /// `HTTP/1.x SP NNN`, then a space and any reason, or nothing.
  private static func statusLine(_ line: ArraySlice<UInt8>) throws(ResponseFault) -> (status: Int, isHTTP10: Bool) {
    let bytes = Array(line.prefix(13))
    guard bytes.count >= 12, bytes.starts(with: "HTTP/1.".utf8), isDigit(bytes[7]), bytes[8] == 0x20,
      bytes[9..<12].allSatisfy(isDigit), bytes.count == 12 || bytes[12] == 0x20, line.allSatisfy(isValueByte)
    else { throw .statusLine }
    let status = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard status >= 100 else { throw .statusLine }
    return (status, bytes[7] == UInt8(ascii: "0"))
  }

  /// `name: value` (RFC 9110, section 5.1 and 5.5). A line that continues the one before begins with a space, and a
  /// space is in no name.
  private static func field(_ bytes: [UInt8], _ line: Range<Int>) throws(ResponseFault) -> ResponseHead.Field {
    guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
      bytes[line.lowerBound..<colon].allSatisfy(isNameByte)
    else { throw .field }
    var value = (colon + 1)..<line.upperBound
    guard bytes[value].allSatisfy(isValueByte) else { throw .field }
    while let first = bytes[value].first, first == 0x20 || first == 0x09 {
      value = (value.lowerBound + 1)..<value.upperBound
    }
    while let last = bytes[value].last, last == 0x20 || last == 0x09 {
      value = value.lowerBound..<(value.upperBound - 1)
    }
    return ResponseHead.Field(name: line.lowerBound..<colon, value: value)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: tokenMarks.contains(byte)
    }
  }
}

private let lf: UInt8 = 0x0A
private let cr: UInt8 = 0x0D
private let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
