/// Reads the heads of answers, strictly and as their bytes come (RFC 9112).
///
/// One per request: it passes over interim answers (1xx) and counts their bytes, so that an origin cannot keep a client
/// reading heads for ever.
///
///     var parser = ResponseParser(answersHEAD: false)
///     while true {
///       buffer += try await stream.read(upTo: 16_384)
///       if let (head, length) = try parser.parse(buffer) { … }  // the body begins at buffer[length...]
///     }
public struct ResponseParser: Sendable {
  /// The most bytes that all heads up to the final one may have.
  public static let maximumLength = 32_768

  private let answersHEAD: Bool
  /// Where the line that is being looked for begins.
  private var lineStart = 0
  private var scanned = 0
  private var headStart = 0
  private var statusLine: (status: Int, version: ProtocolVersion)?
  private var fields: [FieldRange] = []

  /// - Parameter answersHEAD: whether the request was HEAD, whose answer has no body whatever its fields say.
  public init(answersHEAD: Bool) { self.answersHEAD = answersHEAD }

  /// Looks for a whole final head.
  ///
  /// - Parameter bytes: everything received so far on this request; each call's begin with those of the call before.
  /// - Returns: the head and how many bytes it and the interim heads took, or nil when more bytes are needed.
  public mutating func parse(_ bytes: [UInt8]) throws(ResponseFault) -> (head: ResponseHead, length: Int)? {
    let limit = min(bytes.count, Self.maximumLength)
    while let line = try nextLine(bytes, limit: limit) {
      guard let (status, version) = statusLine else {
        statusLine = try Self.statusLine(bytes.span.extracting(line))
        continue
      }
      guard line.isEmpty else {
        try field(bytes.span, line)
        continue
      }
      guard status != 101 else { throw .switchedProtocol }
      defer { startHead() }
      guard status >= 200 else { continue }
      let block = ResponseHead.Fields(bytes: Array(bytes[headStart..<lineStart]), ranges: fields)
      let head = try ResponseHead(status: status, version: version, answersHEAD: answersHEAD, fields: block)
      return (head, lineStart)
    }
    guard bytes.count < Self.maximumLength else { throw .tooLong }
    return nil
  }

  private mutating func startHead() {
    headStart = lineStart
    statusLine = nil
    fields = []
  }

  /// The next line that is there whole, without its CR LF. A bare LF is a line's end to some and not to others; that is
  /// how answers are smuggled.
  private mutating func nextLine(_ bytes: [UInt8], limit: Int) throws(ResponseFault) -> Range<Int>? {
    while scanned < limit {
      let index = scanned
      scanned += 1
      guard bytes[index] == Octet.lineFeed else { continue }
      guard index > lineStart, bytes[index - 1] == Octet.carriageReturn else { throw .lineEnding }
      defer { lineStart = scanned }
      return lineStart..<(index - 1)
    }
    return nil
  }

  /// `HTTP/1.x SP NNN`, then a space and any reason, or nothing.
  private static func statusLine(_ line: Span<UInt8>) throws(ResponseFault) -> (Int, ProtocolVersion) {
    guard line.count >= 12, line.extracting(0..<7).equals("HTTP/1."), line[7].isDigit, line[8] == Octet.space,
      let status = line.decimal(9..<12), status >= 100, line.count == 12 || line[12] == Octet.space
    else { throw .statusLine }
    for index in 12..<line.count where !line[index].isFieldCharacter { throw .statusLine }
    return (status, line[7] == UInt8(ascii: "0") ? .http10 : .http11)
  }

  private mutating func field(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(ResponseFault) {
    do throws(RequestFault) {
      let field = try FieldLine.split(bytes.extracting(line))
      let offset = line.lowerBound - headStart
      fields.append(
        FieldRange(
          name: field.name.lowerBound + offset..<field.name.upperBound + offset,
          value: field.value.lowerBound + offset..<field.value.upperBound + offset))
    } catch {
      throw .field
    }
  }
}
