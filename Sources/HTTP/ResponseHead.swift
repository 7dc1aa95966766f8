/// The head of an answer as a client reads it: status, fields, and where the body ends.
///
/// Made only by ``ResponseParser``, so its framing is settled and its fields are well-formed.
public struct ResponseHead: Sendable {
  /// Where the body ends (RFC 9112, section 6.3).
  public enum Framing: Hashable, Sendable {
    /// There is no body: an answer to HEAD, 204, 304.
    case none
    /// So many bytes.
    case length(Int)
    /// At the last chunk.
    case chunked
    /// Where the connection ends. Whether anything is missing cannot be told.
    case untilClose
  }

  /// 200 to 999; interim answers are passed over.
  public let status: Int
  /// Where the body ends.
  public let framing: Framing
  /// Whether the connection may be used again once the body has been read to its end.
  public let keepsAlive: Bool

  let fields: Fields

  init(status: Int, version: ProtocolVersion, answersHEAD: Bool, fields: Fields) throws(ResponseFault) {
    self.status = status
    self.fields = fields
    let framing = try fields.framing(version: version, hasBody: !(answersHEAD || status == 204 || status == 304))
    self.framing = framing
    let isPersistent =
      version == .http11 ? !fields.list(.connection, has: "close") : fields.list(.connection, has: "keep-alive")
    keepsAlive = isPersistent && framing != .untilClose
  }

  /// Calls `body` with the value of each line of a field, in order.
  public func forEachValue(of name: FieldName, _ body: (Span<UInt8>) -> Void) { fields.forEachValue(of: name, body) }

  /// The first line of a field, copied; nil when it is missing.
  public subscript(name: FieldName) -> [UInt8]? { values(of: name).first }

  /// All lines of a field, copied.
  public func values(of name: FieldName) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    forEachValue(of: name) { lines.append($0.array) }
    return lines
  }

  /// Whether a field that is a list holds an element, in any case. An element's parameters and value are part of it.
  ///
  /// - Parameter element: in lower-case ASCII.
  public func list(_ name: FieldName, has element: StaticString) -> Bool { fields.list(name, has: element) }

  /// The field lines, as ranges over the bytes of the head.
  struct Fields: Sendable {
    let bytes: [UInt8]
    let ranges: [FieldRange]

    func forEachValue(of name: FieldName, _ body: (Span<UInt8>) -> Void) {
      let bytes = bytes.span
      for field in ranges where bytes.extracting(field.name).equalsIgnoringCase(name.literal) {
        body(bytes.extracting(field.value))
      }
    }

    func list(_ name: FieldName, has element: StaticString) -> Bool {
      var isFound = false
      forEachValue(of: name) { value in
        value.forEachListElement { range in
          isFound = isFound || value.extracting(range).equalsIgnoringCase(element)
          return !isFound
        }
      }
      return isFound
    }

    /// What contradicts itself is refused also where no body follows: whoever sends it is not to be trusted with more.
    func framing(version: ProtocolVersion, hasBody: Bool) throws(ResponseFault) -> Framing {
      var codings = 0
      var isChunked = false
      forEachValue(of: .transferEncoding) { value in
        codings += 1
        isChunked = value.equalsIgnoringCase("chunked")
      }
      var lengths = 0
      var length: Int?
      forEachValue(of: .contentLength) { value in
        lengths += 1
        length = value.decimal(0..<value.count)
      }
      if codings > 0 {
        guard codings == 1, isChunked, version == .http11 else { throw .transferCoding }
        guard lengths == 0 else { throw .length }
        return hasBody ? .chunked : .none
      }
      guard lengths > 0 else { return hasBody ? .untilClose : .none }
      guard lengths == 1, let length else { throw .length }
      return hasBody ? .length(length) : .none
    }
  }
}
