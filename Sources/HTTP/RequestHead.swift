/// A request line and its fields, checked by the rules of RFC 9112, as they stand in the read buffer.
///
/// Cheap to pass on: a reference and some numbers. It stays right for as long as it is held.
public struct RequestHead: Sendable {
  /// How the body's end is known.
  public enum Framing: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
  }

  /// What the client waits for before it sends the body.
  public enum Expectation: Sendable { case none, `continue`, unknown }

  /// The scheme that an absolute target names.
  public enum TargetScheme: Sendable { case http, https }

  let storage: HeadStorage
  let origin: Int
  /// The method.
  public internal(set) var method: Method
  /// The version that the answer has to suit.
  public internal(set) var version: ProtocolVersion
  /// `OPTIONS *`.
  public internal(set) var isAsterisk = false
  /// The scheme of a target in absolute form, nil for the usual form.
  public internal(set) var targetScheme: TargetScheme?
  /// How the body's end is known.
  public internal(set) var framing = Framing.none
  /// What the client waits for.
  public internal(set) var expectation = Expectation.none
  /// Whether the connection may carry another request afterwards.
  public internal(set) var keepsAlive = true

  var methodRange: Range<Int>
  var pathRange: Range<Int>
  var queryRange: Range<Int>?
  var authorityRange: Range<Int>?

  private func absolute(_ range: Range<Int>) -> Range<Int> {
    origin + range.lowerBound..<origin + range.upperBound
  }

  /// Lends the bytes of a range, counted from the head's start.
  @inline(__always)
  func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    storage.span(absolute(range), body)
  }

  /// Lends the path as it came, escapes and all; it begins with `/` (empty for `OPTIONS *`).
  public func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result { withBytes(pathRange, body) }

  /// Lends path and query as they came.
  public func withTarget<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    withBytes(pathRange.lowerBound..<(queryRange?.upperBound ?? pathRange.upperBound), body)
  }

  /// Lends host and port: the target's in absolute form, else those of Host; empty in HTTP/1.0 without one.
  public func withAuthority<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    withBytes(authorityRange ?? 0..<0, body)
  }

  /// The path as it came.
  public var path: [UInt8] { withPath { $0.array } }
  /// What stands behind the question mark; nil when there is none.
  public var query: [UInt8]? { queryRange.map { withBytes($0) { $0.array } } }
  /// Host and port.
  public var authority: [UInt8] { withAuthority { $0.array } }
  /// Lends the method's name as it came.
  public func withMethodName<Result>(_ body: (Span<UInt8>) -> Result) -> Result { withBytes(methodRange, body) }
  /// The method's name as it came.
  public var methodName: [UInt8] { withBytes(methodRange) { $0.array } }

  /// Whether bytes are a host with or without a port, by the rules that Host is held to.
  public static func isAuthority(_ text: Span<UInt8>) -> Bool { Authority.isValid(text) }

  // MARK: Fields

  /// How many field lines there are.
  public var fieldCount: Int { storage.fields.count }

  /// Calls `body` with the value of each line of a field, in order. Allocates nothing.
  @inline(__always)
  public func forEachValue(of name: FieldName, _ body: (Span<UInt8>) -> Void) {
    for field in storage.fields
    where field.name.count == name.length && withBytes(field.name, { $0.equalsIgnoringCase(name.literal) }) {
      withBytes(field.value, body)
    }
  }

  /// Calls `body` with the first line of a field, if there is one.
  public func withValue<Result>(of name: FieldName, _ body: (Span<UInt8>) -> Result) -> Result? {
    for field in storage.fields
    where field.name.count == name.length && withBytes(field.name, { $0.equalsIgnoringCase(name.literal) }) {
      return withBytes(field.value, body)
    }
    return nil
  }

  /// Whether a field stands in the request.
  public func has(_ name: FieldName) -> Bool { withValue(of: name) { _ in true } ?? false }

  /// The first line of a field, copied.
  public subscript(name: FieldName) -> [UInt8]? { withValue(of: name) { $0.array } }

  /// All lines of a field, copied.
  public func values(of name: FieldName) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    forEachValue(of: name) { lines.append($0.array) }
    return lines
  }

  /// The coding that the request wants its answer in; nil when it accepts none of ours.
  public var acceptedCoding: ContentCoding? {
    var accepted = AcceptedCodings()
    forEachValue(of: .acceptEncoding) { accepted.add($0) }
    return accepted.best
  }

  /// The language that the request wants texts for people in.
  public var acceptedLanguage: Language { Language(accepting: values(of: .acceptLanguage)) }
}

extension RequestHead {
  /// The head of a whole request that is in memory; nil when its end is missing.
  public init?(parsing bytes: [UInt8]) throws(RequestFault) {
    let limits = RequestLimits()
    let storage = HeadStorage(limits: limits)
    guard bytes.count <= storage.capacity else { throw .fieldsTooLarge }
    _ = storage.fill { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
    var parser = RequestParser(limits: limits)
    guard case .head(let head) = try parser.parse(storage) else { return nil }
    self = head
  }
}
