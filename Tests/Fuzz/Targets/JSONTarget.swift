import JSON

extension FuzzTarget {
  /// JSON documents; the input is also tried as a pointer and as a string.
  static let json = FuzzTarget("json") { bytes throws(Violation) in
    switch Result(catching: { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }) {
    case .success(let value):
      try checkWriting(of: value)
      try checkPointers(into: value)
    case .failure(let error):
      try expect(!error.description.isEmpty, "A syntax error says what is wrong")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if let pointer = JSONPointer(text) {
      try expect(pointer.description.utf8.elementsEqual(bytes), "A pointer is written as it was read")
    }
    guard !bytes.contains(0) else { return }
    try checkWriting(of: .object([text: .string(text)]))
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
