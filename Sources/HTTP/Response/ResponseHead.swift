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

  private let bytes: [UInt8]
  private let fields: [Field]

  /// A field line as ranges of `bytes`, the value without the white space around it.
  struct Field: Sendable {
    let name: Range<Int>
    let value: Range<Int>
  }

  init(status: Int, isHTTP10: Bool, answersHEAD: Bool, bytes: [UInt8], fields: [Field]) throws(ResponseFault) {
    self.status = status
    self.bytes = bytes
    self.fields = fields
    let codings = Self.values(of: "transfer-encoding", bytes, fields)
    let lengths = Self.values(of: "content-length", bytes, fields)
    let connection = Self.values(of: "connection", bytes, fields)
    framing = try Self.framing(
      codings: codings, lengths: lengths, isHTTP10: isHTTP10, hasBody: !(answersHEAD || status == 204 || status == 304))
    let isClosing = connection.contains { listContains($0, "close") }
    keepsAlive =
      framing != .untilClose && !isClosing && (!isHTTP10 || connection.contains { listContains($0, "keep-alive") })
  }

  private static func framing(
    codings: [ArraySlice<UInt8>], lengths: [ArraySlice<UInt8>], isHTTP10: Bool, hasBody: Bool
  ) throws(ResponseFault) -> Framing {
    // What contradicts itself is refused also where no body follows: whoever sends it is not to be trusted with more.
    if let coding = codings.first {
      guard codings.count == 1, !isHTTP10, equalsIgnoringCase(coding, "chunked") else { throw .transferCoding }
      guard lengths.isEmpty else { throw .length }
      return hasBody ? .chunked : .none
    }
    guard let text = lengths.first else { return hasBody ? .untilClose : .none }
    guard lengths.count == 1, let length = number(text) else { throw .length }
    return hasBody ? .length(length) : .none
  }

  /// The value of a field that stands once; nil when it is missing. When it stands more than once, the first.
  ///
  /// - Parameter name: in lower-case ASCII.
  public func value(of name: StaticString) -> ArraySlice<UInt8>? { values(of: name).first }

  /// The values of all field lines of a name, in their order.
  ///
  /// - Parameter name: in lower-case ASCII.
  public func values(of name: StaticString) -> [ArraySlice<UInt8>] { Self.values(of: name, bytes, fields) }

  private static func values(of name: StaticString, _ bytes: [UInt8], _ fields: [Field]) -> [ArraySlice<UInt8>] {
    fields.compactMap { field in
      equalsIgnoringCase(bytes[field.name], name) ? bytes[field.value] : nil
    }
  }

  /// Whether a field that is a list of words holds one, in any case. A parameter after `=` counts as part of the word.
  ///
  /// - Parameters:
  ///   - name: the field's name, in lower-case ASCII.
  ///   - word: the word, in lower-case ASCII.
  public func list(_ name: StaticString, contains word: StaticString) -> Bool {
    values(of: name).contains { listContains($0, word) }
  }
}

/// Digits only, and no more than fit.
private func number(_ text: ArraySlice<UInt8>) -> Int? {
  guard !text.isEmpty else { return nil }
  var value = 0
  for digit in text {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
    guard !overflow, !carry else { return nil }
    value = sum
  }
  return value
}

private func listContains(_ list: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
  list.split(separator: UInt8(ascii: ",")).contains { item in
    let trimmed = item.drop(while: isBlank)
    let end = trimmed.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? trimmed.startIndex
    return equalsIgnoringCase(trimmed[..<end], word)
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// ASCII only: `chunKed` with a Kelvin sign is another word.
private func equalsIgnoringCase(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
  guard bytes.count == word.utf8CodeUnitCount else { return false }
  return word.withUTF8Buffer { expected in
    zip(bytes, expected).allSatisfy { byte, letter in
      ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte) == letter
    }
  }
}
