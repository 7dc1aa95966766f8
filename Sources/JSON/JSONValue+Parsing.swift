import FoundationEssentials

extension JSONValue {
  /// The tree of a JSON document (RFC 8259) in UTF-8, as `JSONDecoder` reads it.
  ///
  /// Arrays and objects nest 16 deep at most. Two things the decoder decides, and cannot be asked about: of two equal keys in
  /// one object one wins silently, and a comma after the last element is forgiven. A seed file costs about 50 ns a byte;
  /// numbers with fractions and deep nesting cost up to a hundred times that.
  ///
  /// - Throws: `JSONSyntaxError`, with its place. Never traps, whatever the bytes are.
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    guard bytes.contains(where: { !JSONOutline.isWhitespace($0) }) else { throw .empty }
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let isCutOff = error.kind == .truncatedScalar && error.byteOffsets.upperBound == bytes.count
      let offset = error.byteOffsets.lowerBound
      throw isCutOff ? .endsInCharacter(offset: offset) : .invalidUTF8(offset: offset)
    }
    // The decoder would take zero bytes for UTF-16 or UTF-32, which RFC 8259 no longer allows.
    if let offset = bytes.firstIndex(of: 0) { throw .zeroByte(offset: offset) }
    // What it takes has balanced brackets, so nothing deeper reaches the tree.
    if case .tooDeep(let offset) = JSONOutline(bytes: bytes).finding {
      throw .tooDeep(at: TextPlace(of: offset, in: bytes))
    }
    do {
      self = try JSONDecoder().decode(JSONTree.self, from: Data(bytes)).value
    } catch let fault as JSONValueFault {
      throw .malformedValue(fault.what, pointer: fault.pointer)
    } catch {
      throw JSONPlaceFinder(bytes).syntaxError
    }
  }
}

/// A value that is where a value may be, but is spelt wrongly.
struct JSONValueFault: Error {
  let what: JSONSyntaxError.MalformedValue
  let pointer: JSONPointer

  init(_ what: JSONSyntaxError.MalformedValue, at path: [any CodingKey]) {
    self.what = what
    pointer = JSONPointer(tokens: path.map { $0.intValue.map(String.init) ?? $0.stringValue })
  }
}
