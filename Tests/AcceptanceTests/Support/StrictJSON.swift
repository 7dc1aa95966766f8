/// A JSON value as it was written: keys in their order, numbers as their digits.
///
/// A parser of the tests' own, so that what the server writes is not judged by the code that wrote it. It refuses what
/// RFC 8259 refuses, and the same key twice.
indirect enum StrictJSON: Equatable {
  case object([Member])
  case array([StrictJSON])
  case string(String)
  case number(String)
  case bool(Bool)
  case null

  struct Member: Equatable {
    var key: String
    var value: StrictJSON
  }

  init(_ bytes: [UInt8]) throws {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure("The JSON is not UTF-8") }
    var parser = Parser(bytes: bytes)
    self = try parser.value()
    parser.skipBlanks()
    guard parser.position == bytes.count else { throw parser.failure("something after the end") }
  }
}

// MARK: Asking

extension StrictJSON {
  /// The keys in the order in which they stand.
  var keys: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.key)
  }

  /// A member that must be there.
  subscript(_ key: String) -> StrictJSON {
    get throws {
      guard case .object(let members) = self else { throw Failure("Not an object, asked for \(key): \(self)") }
      guard let member = members.first(where: { $0.key == key }) else { throw Failure("No key \(key) among \(keys)") }
      return member.value
    }
  }

  func has(_ key: String) -> Bool { keys.contains(key) }

  var items: [StrictJSON] {
    get throws {
      guard case .array(let items) = self else { throw Failure("Not a list: \(self)") }
      return items
    }
  }

  var text: String {
    get throws {
      guard case .string(let text) = self else { throw Failure("Not a string: \(self)") }
      return text
    }
  }

  var texts: [String] { get throws { try items.map { try $0.text } } }

  var integer: Int {
    get throws {
      guard case .number(let digits) = self, let value = Int(digits) else { throw Failure("Not an integer: \(self)") }
      return value
    }
  }

  /// Whether null stands anywhere inside.
  var containsNull: Bool {
    switch self {
    case .null: true
    case .array(let items): items.contains { $0.containsNull }
    case .object(let members): members.contains { $0.value.containsNull }
    default: false
    }
  }
}

// MARK: Parsing

private struct Parser {
  let bytes: [UInt8]
  var position = 0

  func failure(_ what: String) -> Failure { Failure("Not JSON at byte \(position): \(what)") }

  mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  mutating func next() throws -> UInt8 {
    guard position < bytes.count else { throw failure("the end came too early") }
    defer { position += 1 }
    return bytes[position]
  }

  /// Takes the byte when it comes next, blanks before it included.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws {
    guard take(character) else { throw failure("expected \(character)") }
  }

  mutating func value() throws -> StrictJSON {
    skipBlanks()
    guard position < bytes.count else { throw failure("the end came too early") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  mutating func word(_ word: String, _ value: StrictJSON) throws -> StrictJSON {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("an unknown word") }
    position += word.utf8.count
    return value
  }

  mutating func object() throws -> StrictJSON {
    try expect("{")
    var members: [StrictJSON.Member] = []
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      let key = try string()
      guard !members.contains(where: { $0.key == key }) else { throw failure("the key \(key) twice") }
      try expect(":")
      members.append(.init(key: key, value: try value()))
    } while take(",")
    try expect("}")
    return .object(members)
  }

  mutating func array() throws -> StrictJSON {
    try expect("[")
    var items: [StrictJSON] = []
    if take("]") { return .array(items) }
    repeat { items.append(try value()) } while take(",")
    try expect("]")
    return .array(items)
  }

  mutating func number() throws -> String {
    let start = position
    let digits = { (parser: inout Parser) in
      let first = parser.position
      while parser.position < parser.bytes.count, (0x30...0x39).contains(parser.bytes[parser.position]) {
        parser.position += 1
      }
      return parser.position - first
    }
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = position
    let count = digits(&self)
    guard count > 0, count == 1 || bytes[whole] != 0x30 else { throw failure("not a number") }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard digits(&self) > 0 else { throw failure("no digit after the point") }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) { position += 1 }
      guard digits(&self) > 0 else { throw failure("no digit in the exponent") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func string() throws -> String {
    guard try next() == UInt8(ascii: "\"") else { throw failure("expected a string") }
    var units: [UInt8] = []
    while true {
      let byte = try next()
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &units)
      case 0..<0x20: throw failure("a raw control character in a string")
      default: units.append(byte)
      }
    }
  }

  mutating func escape(into units: inout [UInt8]) throws {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
      UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]
    let kind = try next()
    if let byte = plain[kind] { return units.append(byte) }
    guard kind == UInt8(ascii: "u") else { throw failure("an unknown escape") }
    var code = try hexadecimal()
    if (0xD800..<0xDC00).contains(code) {
      guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else { throw failure("half a pair") }
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { throw failure("half a pair") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure("half a pair") }
    units.append(contentsOf: Array(String(Character(scalar)).utf8))
  }

  mutating func hexadecimal() throws -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try next())).hexDigitValue else { throw failure("not hexadecimal") }
      code = code << 4 | UInt32(digit)
    }
    return code
  }
}
