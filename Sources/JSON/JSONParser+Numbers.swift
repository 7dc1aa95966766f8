extension JSONParser {
  /// Section 6: a number. Without a fraction and an exponent it is an integer, where 64 bits hold it.
  mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = offset
    var isInteger = true
    if next == UInt8(ascii: "-") { offset += 1 }
    let whole = offset
    try digits(from: start)
    guard bytes[whole] != UInt8(ascii: "0") || offset == whole + 1 else { throw error(.leadingZero, at: start) }
    if next == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      try digits(from: start)
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits(from: start)
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw error(.numberTooLarge, at: start) }
    return .number(number)
  }

  /// One digit at least.
  private mutating func digits(from start: Int) throws(JSONSyntaxError) {
    let first = offset
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    guard offset > first else { throw error(.malformedNumber, at: start) }
  }
}
