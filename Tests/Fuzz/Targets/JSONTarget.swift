import JSON

extension FuzzTarget {
  /// JSON documents; the input is also tried as a pointer and as a string.
  static let json = FuzzTarget("json") { bytes throws(Violation) in
    switch Result(catching: { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }) {
    case .success(let value):
      try checkWriting(of: value)
      try checkPointers(into: value)
      try checkEnd(of: bytes)
    case .failure(let error):
      try checkPlace(of: error, in: bytes)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if let pointer = JSONPointer(text) {
      try expect(pointer.description.utf8.elementsEqual(bytes), "A pointer is written as it was read")
    }
    guard !bytes.contains(0) else { return }
    try checkWriting(of: .object([text: .string(text)]))
  }

  /// After the end of a document there can be nothing but white space.
  private static func checkEnd(of bytes: [UInt8]) throws(Violation) {
    for more in ["]", "}", ",", "\"", "x", "\0"] {
      let isRefused = (try? JSONValue(parsing: bytes + Array(more.utf8))) == nil
      try expect(isRefused, "Nothing may follow a document, and \(more) was taken")
    }
    let isTaken = (try? JSONValue(parsing: Array(" \r\n".utf8) + bytes.trimmingBOM + Array("\n\t ".utf8))) != nil
    try expect(isTaken, "White space around a document says nothing")
  }

  /// A syntax error says what is wrong, at a place in the text.
  private static func checkPlace(of error: JSONSyntaxError, in bytes: [UInt8]) throws(Violation) {
    try expect(error.description.hasSuffix("."), "A syntax error is a sentence: \(error)")
    let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
    try expect((1...lines).contains(error.place.line), "A fault is in a line that is there: \(error)")
    try expect((1...bytes.count + 1).contains(error.place.column), "A fault is in a column that is there: \(error)")
    try expect(error.pointer.tokens.count <= 16, "A fault is in a value that is there: \(error)")
    guard case .endsEarly(let opened) = error.fault else { return }
    try expect(
      (opened.line, opened.column) < (error.place.line, error.place.column),
      "What ends early was opened before: \(error)")
  }

  private static func checkWriting(of value: JSONValue) throws(Violation) {
    let compact = JSONText.write(value, .compact)
    for text in [compact, JSONText.write(value, .pretty)] {
      switch Result(catching: { () throws(JSONSyntaxError) in try JSONValue(parsing: text) }) {
      case .success(let again):
        // Compared as bytes: to Swift composed and decomposed text are equal.
        try expect(JSONText.write(again, .compact) == compact, "A document is read as it was written: \(value)")
      case .failure(let error):
        throw Violation(description: "A written document is refused: \(error)\n\(Octets.text(text))")
      }
    }
  }

  /// Goes to each value that is less than a hundred steps away, by its pointer.
  private static func checkPointers(into document: JSONValue) throws(Violation) {
    var waiting = [(JSONPointer.root, document)]
    var steps = 0
    while let (pointer, value) = waiting.popLast(), steps < 100 {
      steps += 1
      try expectEqual(document[pointer: pointer], value, "A pointer leads to its value")
      try expectEqual(JSONPointer(pointer.description), pointer, "A pointer is read as it was written")
      try expect(!value.summary.isEmpty, "Each value has a summary")
      switch value {
      case .array(let elements): waiting += elements.enumerated().map { (pointer.appending($0), $1) }
      case .object(let members): waiting += members.map { (pointer.appending($0), $1) }
      default: break
      }
    }
  }
}

extension [UInt8] {
  fileprivate var trimmingBOM: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}

/// Writes any tree.
enum JSONText {
  static func write(_ value: JSONValue, _ style: JSONWriter.Style) -> [UInt8] {
    var writer = JSONWriter(style)
    write(value, to: &writer)
    return writer.bytes
  }

  private static func write(_ value: JSONValue, to json: inout JSONWriter) {
    switch value {
    case .null: json.writeNull()
    case .bool(let flag): json.write(flag)
    case .integer(let number): json.write(number)
    // 9007199254740993.1 has a fraction until it is a Double; written again it would be an integer.
    case .number(let number): if let whole = Int64(exactly: number) { json.write(whole) } else { json.write(number) }
    case .string(let text): json.write(text)
    case .array(let elements): json.array { json in for element in elements { write(element, to: &json) } }
    case .object(let members):
      json.object { json in
        for (key, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
          json.key(escaping: key)
          write(member, to: &json)
        }
      }
    }
  }
}
