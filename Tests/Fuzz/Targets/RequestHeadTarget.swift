import HTTP

extension FuzzTarget {
  /// Request heads, as they come in from anyone.
  static let requestHead = FuzzTarget("request-head") { bytes throws(Violation) in
    var small = RequestLimits()
    (small.requestLine, small.fieldBlock, small.fieldCount, small.emptyLines) = (40, 60, 3, 1)
    for limits in [RequestLimits(), small] {
      let ways = Pieces.ways(bytes.count, seededBy: bytes)
      let whole = try HeadReading(bytes, pieces: ways[0], limits: limits)
      for way in ways.dropFirst() {
        try expectEqual(
          whole, try HeadReading(bytes, pieces: way, limits: limits), "A head is the same however it is cut")
      }
    }
    guard let head = try? RequestHead(parsing: bytes) else { return }
    try checkParts(of: head)
    try checkRewriting(of: head)
  }

  private static func checkParts(of head: RequestHead) throws(Violation) {
    try expect(!head.methodName.isEmpty && Octets.isVisible(head.methodName), "A method is visible ASCII")
    let target = head.withTarget { $0.array }
    try expectEqual(target, head.path + (head.query.map { [63] + $0 } ?? []), "A target is a path and a query")
    try expect(Octets.isVisible(target), "A target is visible ASCII")
    try expect(!target.contains(35), "A target has no fragment")
    try expectEqual(head.path.isEmpty, head.isAsterisk, "Only * is no path")
    try expect(head.isAsterisk || head.path.first == 47, "A path begins with a slash")
    try expect(!head.path.contains(63), "A path has no question mark")
    if head.path.contains(37) {
      let decoded = PercentEncoding.decode(head.path.span)
      try expect(decoded.map(Octets.isUTF8) ?? false, "A path's escapes are whole, and UTF-8")
      try expect(decoded?.contains { [0, 10, 13].contains($0) } == false, "A path hides no line end and no NUL")
    }
    if head.authority.isEmpty {
      try expect(head.version == .http10 && head.targetScheme == nil, "HTTP/1.1 has a host")
    } else {
      try expect(RequestHead.isAuthority(head.authority.span), "A host is one")
      try expect(Octets.isVisible(head.authority) && !head.authority.contains(64), "A host is plain")
    }
    switch head.framing {
    case .none: break
    case .length(let length):
      try expect(length > 0, "A length is positive")
      try expect(!head.has(.transferEncoding), "A length and chunks exclude each other")
    case .chunked:
      try expect(head.version == .http11 && !head.has(.contentLength), "Chunks are of HTTP/1.1, and have no length")
      try expect(head.has(.transferEncoding), "Chunks are announced")
    }
    for name in HeadReading.names {
      for value in head.values(of: name) {
        try expect(Octets.isFieldValue(value), "A value has no control character, and no blank at its ends")
      }
      try expectEqual(head.has(name), head[name] != nil, "A field that is there has a value")
    }
  }

  /// What was understood, written again, is understood the same.
  private static func checkRewriting(of head: RequestHead) throws(Violation) {
    var text = head.methodName + [32] + (head.isAsterisk ? [42] : head.withTarget { $0.array })
    text += Array(head.version == .http10 ? " HTTP/1.0\r\n".utf8 : " HTTP/1.1\r\n".utf8)
    if !head.authority.isEmpty { text += Array("Host: ".utf8) + head.authority + [13, 10] }
    text += [13, 10]
    guard let again = try? RequestHead(parsing: text) else {
      throw Violation(description: "A head written again is refused: \(Octets.text(text))")
    }
    try expectEqual(again.method, head.method, "The method is the same when written again")
    try expectEqual(again.path, head.path, "The path is the same when written again")
    try expectEqual(again.query, head.query, "The query is the same when written again")
    try expectEqual(again.authority, head.authority, "The host is the same when written again")
  }
}

/// All that a server learns of a head, and how much of the input it took for it.
private struct HeadReading: Equatable {
  static let names: [FieldName] = [
    .host, .connection, .contentLength, .transferEncoding, .expect, .range, .ifNoneMatch, .acceptEncoding,
    .acceptLanguage, .forwarded, .userAgent, .origin,
  ]

  private var isComplete = false
  private var fault: RequestFault?
  private var taken = 0
  private var line: [[UInt8]] = []
  private var method: Method?
  private var version: ProtocolVersion?
  private var framing: RequestHead.Framing?
  private var expectation: RequestHead.Expectation?
  private var scheme: RequestHead.TargetScheme?
  private var keepsAlive: Bool?
  private var fieldCount: Int?
  private var values: [[[UInt8]]] = []

  init(_ bytes: [UInt8], pieces: [Range<Int>], limits: RequestLimits) throws(Violation) {
    let storage = HeadStorage(limits: limits)
    var parser = RequestParser(limits: limits)
    for piece in pieces {
      var offset = piece.lowerBound
      while offset < piece.upperBound {
        let filled = storage.fill { room in
          let count = min(room.count, piece.upperBound - offset)
          room.copyBytes(from: bytes[offset..<offset + count])
          return count
        }
        try expect(filled ?? 0 > 0, "There is room for a head within its limits")
        offset += filled ?? 0
        do throws(RequestFault) {
          if case .head(let head) = try parser.parse(storage) {
            note(head, taken: offset - storage.count)
            return
          }
        } catch {
          fault = error
          return
        }
      }
    }
  }

  private mutating func note(_ head: RequestHead, taken: Int) {
    isComplete = true
    self.taken = taken
    line = [head.methodName, head.path, head.query ?? [], head.authority]
    (method, version, framing, expectation) = (head.method, head.version, head.framing, head.expectation)
    (scheme, keepsAlive, fieldCount) = (head.targetScheme, head.keepsAlive, head.fieldCount)
    values = Self.names.map { head.values(of: $0) }
  }
}
