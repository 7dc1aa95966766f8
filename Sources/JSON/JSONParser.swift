/// One walk over the bytes of a JSON document (RFC 8259), by recursive descent.
///
/// `offset` is always at the next byte that has not been understood. The methods named after a part of the grammar begin at
/// its first byte and leave `offset` behind its last.
struct JSONParser {
  /// Brackets that may stand in each other: three times what any document of the shop has.
  static let deepest = 16

  let bytes: [UInt8]
  var offset = 0
  /// The way from the top to the value being read.
  private var path: [Step] = []

  private enum Step {
    case key(String)
    case index(Int)
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next byte, or nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// The whole text: one value, and white space around it.
  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    try checkUTF8()
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    skipWhitespace()
    guard next != nil else { throw error(.empty) }
    let value = try value(in: 0)
    skipWhitespace()
    guard next == nil else { throw unexpected(.end) }
    return value
  }

  private func checkUTF8() throws(JSONSyntaxError) {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let isCutOff = error.kind == .truncatedScalar && error.byteOffsets.upperBound == bytes.count
      throw self.error(isCutOff ? .endsInCharacter : .notUTF8, at: error.byteOffsets.lowerBound)
    }
  }

  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  /// Section 3: a value.
  private mutating func value(in depth: Int) throws(JSONSyntaxError) -> JSONValue {
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    case UInt8(ascii: "{"): return .object(try object(in: depth))
    case UInt8(ascii: "["): return .array(try array(in: depth))
    case UInt8(ascii: "t") where take("true"): return .bool(true)
    case UInt8(ascii: "f") where take("false"): return .bool(false)
    case UInt8(ascii: "n") where take("null"): return .null
    default: throw unexpected(.value)
    }
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let end = offset + word.utf8CodeUnitCount
    let isThere = word.withUTF8Buffer { end <= bytes.count && bytes[offset..<end].elementsEqual($0) }
    if isThere { offset = end }
    return isThere
  }

  /// Section 5: an array.
  private mutating func array(in depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
    let start = offset
    try open(in: depth)
    var elements: [JSONValue] = []
    if take(closing: UInt8(ascii: "]")) { return elements }
    while true {
      guard next != nil else { throw endsEarly(from: start) }
      path.append(.index(elements.count))
      elements.append(try value(in: depth + 1))
      path.removeLast()
      if try !goesOn(until: UInt8(ascii: "]"), from: start) { return elements }
    }
  }

  /// Section 4: an object.
  private mutating func object(in depth: Int) throws(JSONSyntaxError) -> JSONObject {
    let start = offset
    try open(in: depth)
    var members = JSONObject()
    if take(closing: UInt8(ascii: "}")) { return members }
    while true {
      guard let quote = next else { throw endsEarly(from: start) }
      guard quote == UInt8(ascii: "\"") else { throw unexpected(.key) }
      let keyStart = offset
      let key = try string()
      path.append(.key(key))
      guard !members.contains(key: key) else { throw error(.duplicateKey(key), at: keyStart) }
      skipWhitespace()
      guard let colon = next else { throw endsEarly(from: start) }
      guard colon == UInt8(ascii: ":") else { throw unexpected(.colon) }
      offset += 1
      skipWhitespace()
      guard next != nil else { throw endsEarly(from: start) }
      members.append(try value(in: depth + 1), for: key)
      path.removeLast()
      if try !goesOn(until: UInt8(ascii: "}"), from: start) { return members }
    }
  }

  /// Steps over an opening bracket and what is white behind it.
  private mutating func open(in depth: Int) throws(JSONSyntaxError) {
    guard depth < Self.deepest else { throw error(.tooDeep) }
    offset += 1
    skipWhitespace()
  }

  private mutating func take(closing bracket: UInt8) -> Bool {
    guard next == bracket else { return false }
    offset += 1
    return true
  }

  /// Steps over what stands behind an element, and the white space around it. False behind the closing bracket.
  private mutating func goesOn(until bracket: UInt8, from start: Int) throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    if take(closing: bracket) { return false }
    guard let byte = next else { throw endsEarly(from: start) }
    guard byte == UInt8(ascii: ",") else {
      throw unexpected(bracket == UInt8(ascii: "]") ? .commaOrBracket : .commaOrBrace)
    }
    let comma = offset
    offset += 1
    skipWhitespace()
    guard next != bracket else { throw error(.trailingComma, at: comma) }
    return true
  }
}

extension JSONParser {
  /// Something wrong at an offset; without one, at the next byte.
  func error(_ fault: JSONSyntaxError.Fault, at offset: Int? = nil) -> JSONSyntaxError {
    let tokens = path.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
    let place = TextPlace(of: offset ?? self.offset, in: bytes)
    return JSONSyntaxError(fault, at: place, in: JSONPointer(tokens: tokens))
  }

  /// The text ends in a bracket or string that begins at an offset.
  func endsEarly(from start: Int) -> JSONSyntaxError {
    error(.endsEarly(opened: TextPlace(of: start, in: bytes)), at: bytes.count)
  }

  private func unexpected(_ expected: JSONSyntaxError.Expectation) -> JSONSyntaxError {
    if next == 0 { return error(.zeroByte) }
    // Enough to recognise it by, up to where the next thing may begin.
    let rest = bytes[offset...].prefix(160)
    let end = rest.firstIndex { " \n\r\t,:]}".utf8.contains($0) } ?? rest.endIndex
    let word = String(decoding: rest[..<max(end, offset + 1)], as: UTF8.self).unicodeScalars.prefix(40)
    let found = word.map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0) }.joined()
    return error(.unexpected(found, expected: expected))
  }
}
