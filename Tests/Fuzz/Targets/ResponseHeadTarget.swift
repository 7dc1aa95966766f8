import HTTP

extension FuzzTarget {
  /// Heads of answers, as origins send them.
  static let responseHead = FuzzTarget("response-head") { bytes throws(Violation) in
    for answersHEAD in [false, true] {
      let ways = Pieces.ways(bytes.count, seededBy: bytes)
      let whole = AnswerReading(bytes, pieces: ways[0], answersHEAD: answersHEAD)
      try whole.check(bytes, answersHEAD: answersHEAD)
      for way in ways.dropFirst() {
        try expectEqual(
          whole, AnswerReading(bytes, pieces: way, answersHEAD: answersHEAD), "An answer is the same however it is cut")
      }
    }
  }
}

private struct AnswerReading: Equatable {
  private static let names: [FieldName] = [
    .contentLength, .transferEncoding, .connection, .location, .etag, .lastModified, .cacheControl, .retryAfter,
    .contentType, .contentEncoding,
  ]

  private var fault: ResponseFault?
  private var length: Int?
  private var status: Int?
  private var framing: ResponseHead.Framing?
  private var keepsAlive: Bool?
  private var values: [[[UInt8]]] = []
  private var retryAfter: Int?

  init(_ bytes: [UInt8], pieces: [Range<Int>], answersHEAD: Bool) {
    var parser = ResponseParser(answersHEAD: answersHEAD)
    var received: [UInt8] = []
    for piece in pieces {
      received += bytes[piece]
      do throws(ResponseFault) {
        guard let (head, length) = try parser.parse(received) else { continue }
        (self.length, status, framing, keepsAlive) = (length, head.status, head.framing, head.keepsAlive)
        values = Self.names.map { head.values(of: $0) }
        retryAfter = head.retryAfter(now: 1_900_000_000)
        return
      } catch {
        fault = error
        return
      }
    }
  }

  func check(_ bytes: [UInt8], answersHEAD: Bool) throws(Violation) {
    guard let length, let status, let framing, let keepsAlive else { return }
    try expect(length <= min(bytes.count, ResponseParser.maximumLength), "A head lies within what came")
    try expect(bytes[..<length].suffix(4) == [13, 10, 13, 10], "A head ends with an empty line")
    try expect((200...999).contains(status), "Interim answers are passed over")
    if answersHEAD || status == 204 || status == 304 { try expectEqual(framing, .none, "Nothing follows such a head") }
    switch framing {
    case .none: break
    case .length(let bodyLength): try expect(bodyLength >= 0 && values[1].isEmpty, "A length is one, and alone")
    case .chunked: try expect(values[0].isEmpty && values[1].count == 1, "Chunks have no length")
    case .untilClose:
      try expect(values[0].isEmpty && values[1].isEmpty && !keepsAlive, "A body up to the close ends the connection")
    }
    for value in values.joined() {
      try expect(Octets.isFieldValue(value), "A value has no control character, and no blank at its ends")
    }
    try expect(retryAfter ?? 0 >= 0, "Nobody is asked to come back in the past")
  }
}
