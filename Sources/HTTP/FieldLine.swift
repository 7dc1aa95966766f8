/// One line of a head (RFC 9112, section 5).
enum FieldLine {
  /// Splits `Name: value`, counted from the line's start. No blank may stand before the colon or at the start of the
  /// line (that would be obs-fold), and no control character but tab in the value.
  static func split(_ line: Span<UInt8>) throws(RequestFault) -> FieldRange {
    var colon = 0
    while colon < line.count, line[colon].isTokenCharacter { colon += 1 }
    guard colon < line.count else { throw .malformed("a field line without a colon") }
    guard line[colon] == Octet.colon else {
      if line[0].isBlank { throw .malformed("a folded field line") }
      throw .malformed("a field name with a character that it must not have")
    }
    guard colon > 0 else { throw .malformed("a field line without a name") }
    guard line.extracting((colon + 1)...).isFieldText else { throw .malformed("a control character in a field value") }
    return FieldRange(name: 0..<colon, value: line.trimmed(colon + 1..<line.count))
  }
}

/// What the fields of a head say about the connection and the body, gathered while they are parsed: contradictions
/// never meet a dictionary that keeps the last one.
struct FieldSummary {
  private(set) var hostCount = 0
  private(set) var host: Range<Int>?
  private(set) var wantsClose = false
  private(set) var wantsKeepAlive = false
  private(set) var expectation = RequestHead.Expectation.none
  private var contentLength: Int?
  private var codings = TransferCodings()

  mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>, at offset: Int) throws(RequestFault) {
    switch name.count {
    case 4 where name.equalsIgnoringCase("host"):
      hostCount += 1
      guard hostCount == 1 else { throw .malformed("two Host fields") }
      guard Authority.isValid(value) else { throw .malformed("a Host that is not a host and port") }
      host = offset..<offset + value.count
    case 6 where name.equalsIgnoringCase("expect"):
      expectation = value.equalsIgnoringCase("100-continue") && expectation != .unknown ? .continue : .unknown
    case 10 where name.equalsIgnoringCase("connection"):
      noteConnection(value)
    case 14 where name.equalsIgnoringCase("content-length"):
      guard let length = value.decimal(0..<value.count), contentLength == nil || contentLength == length else {
        throw .malformed("a Content-Length that is not one number")
      }
      contentLength = length
    case 17 where name.equalsIgnoringCase("transfer-encoding"):
      codings.note(value)
    default:
      break
    }
  }

  private mutating func noteConnection(_ value: Span<UInt8>) {
    var close = wantsClose
    var keepAlive = wantsKeepAlive
    value.forEachListElement { element in
      let option = value.extracting(element)
      if option.equalsIgnoringCase("close") { close = true }
      if option.equalsIgnoringCase("keep-alive") { keepAlive = true }
      return true
    }
    wantsClose = close
    wantsKeepAlive = keepAlive
  }

  func framing(version: ProtocolVersion) throws(RequestFault) -> RequestHead.Framing {
    guard codings.isNamed else { return contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none }
    guard contentLength == nil else { throw .malformed("Transfer-Encoding with Content-Length") }
    guard version == .http11 else { throw .malformed("Transfer-Encoding in HTTP/1.0") }
    guard !codings.isMalformed else { throw .malformed("a Transfer-Encoding that does not end in one chunked") }
    guard !codings.hasUnknown else { throw .notImplemented }
    return .chunked
  }
}
