/// Parses request heads in place, line by line as they come, and remembers how far it got (RFC 9112, sections 2 to 6).
///
/// One value per request: make a new one for the next. What a head means for the connection (its framing, whether the
/// connection stays) is decided here, on bytes.
public struct RequestParser {
  /// What the bytes so far amount to.
  public enum Outcome {
    /// More bytes are needed.
    case incomplete
    /// A whole head; its bytes have been taken from the storage.
    case head(RequestHead)
  }

  private let limits: RequestLimits
  /// From the start of the storage's waiting bytes.
  private var lineStart = 0
  private var scanned = 0
  private var emptyLines = 0
  private var fieldBlockStart = 0
  private var line: RequestLine?
  private var summary = FieldSummary()

  /// A parser for one request.
  public init(limits: RequestLimits) {
    self.limits = limits
  }

  /// Whether a byte of a request line has been seen: the head's time runs from then on.
  public var hasBegun: Bool { line != nil || scanned > lineStart }

  /// Goes on with the bytes that wait in `storage`.
  public mutating func parse(_ storage: HeadStorage) throws(RequestFault) -> Outcome {
    while let end = try nextLineEnd(storage) {
      let range = lineStart..<end
      let origin = storage.start
      lineStart = end + 2
      scanned = lineStart
      if let line {
        if range.isEmpty { return .head(try finish(line, storage, origin: origin)) }
        try field(range, storage, origin: origin)
      } else if range.isEmpty {
        emptyLines += 1
        guard emptyLines <= limits.emptyLines else { throw .malformed("empty lines instead of a request") }
      } else {
        storage.fields.removeAll(keepingCapacity: true)
        line = try storage.span(origin + range.lowerBound..<origin + range.upperBound) { bytes in
          Result { () throws(RequestFault) in try RequestLine(bytes, at: range.lowerBound) }
        }.get()
        fieldBlockStart = lineStart
      }
    }
    return .incomplete
  }

  /// The offset of the CR of the next CRLF, or nil when it has not come. A line feed alone ends the request.
  private mutating func nextLineEnd(_ storage: HeadStorage) throws(RequestFault) -> Int? {
    let available = storage.count
    while scanned < available {
      let from = storage.start + scanned
      guard let found = storage.firstLineFeed(from: from) else {
        scanned = available
        break
      }
      let offset = found - storage.start
      try checkLength(upTo: lineEnd(storage, before: offset))
      guard offset > lineStart, storage.base[found - 1] == Octet.carriageReturn else {
        throw .malformed("a line ends without CR")
      }
      return offset - 1
    }
    try checkLength(upTo: lineEnd(storage, before: available))
    return nil
  }

  /// The end of what is there of a line, without a CR at its end: a line as long as it may be is not refused because its
  /// LF comes later.
  private func lineEnd(_ storage: HeadStorage, before offset: Int) -> Int {
    guard offset > lineStart, storage.base[storage.start + offset - 1] == Octet.carriageReturn else { return offset }
    return offset - 1
  }

  private func checkLength(upTo offset: Int) throws(RequestFault) {
    if line == nil {
      guard offset - lineStart <= limits.requestLine else { throw .lineTooLong }
    } else {
      guard offset - fieldBlockStart <= limits.fieldBlock else { throw .fieldsTooLarge }
    }
  }

  private mutating func field(_ range: Range<Int>, _ storage: HeadStorage, origin: Int) throws(RequestFault) {
    guard storage.fields.count < limits.fieldCount else { throw .fieldsTooLarge }
    let absolute = origin + range.lowerBound..<origin + range.upperBound
    let field = try storage.span(absolute) { bytes in
      Result { () throws(RequestFault) in
        let field = try FieldLine.split(bytes)
        try summary.note(
          bytes.extracting(field.name), bytes.extracting(field.value), at: range.lowerBound + field.value.lowerBound)
        return FieldRange(
          name: field.name.lowerBound + range.lowerBound..<field.name.upperBound + range.lowerBound,
          value: field.value.lowerBound + range.lowerBound..<field.value.upperBound + range.lowerBound)
      }
    }.get()
    storage.fields.append(field)
  }

  private func finish(_ line: RequestLine, _ storage: HeadStorage, origin: Int) throws(RequestFault) -> RequestHead {
    storage.start = origin + lineStart
    var head = RequestHead(
      storage: storage, origin: origin, method: line.method, version: line.version, methodRange: line.methodRange,
      pathRange: line.target.path, queryRange: line.target.query, authorityRange: line.target.authority)
    head.isAsterisk = line.target.isAsterisk
    head.targetScheme = line.target.scheme
    head.framing = try summary.framing(version: line.version)
    head.expectation = line.version == .http11 ? summary.expectation : .none
    head.keepsAlive = line.version == .http11 ? !summary.wantsClose : summary.wantsKeepAlive && !summary.wantsClose
    guard summary.hostCount > 0 || line.version == .http10 else { throw .malformed("no Host field") }
    if head.authorityRange == nil { head.authorityRange = summary.host }
    return head
  }
}
