extension JSONValue {
  /// The tree of a JSON document (RFC 8259) in UTF-8; a byte order mark at its start is passed over.
  ///
  /// It is read to the letter: no comma after the last element, no comment, no key twice in an object, nothing after the
  /// end. Arrays and objects nest 16 deep at most. The time is proportional to the bytes, whatever they are.
  ///
  /// - Throws: The first thing that is wrong, with its place. Never traps, whatever the bytes are.
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    var parser = JSONParser(bytes)
    self = try parser.document()
  }
}
