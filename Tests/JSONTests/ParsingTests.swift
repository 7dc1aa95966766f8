import JSON
import Testing

@Suite("Reading JSON")
struct ParsingTests {
  @Test(
    "Values become what they are",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("\"김치\"", .string("김치")),
      (" 12 ", .integer(12)),
      ("-0", .integer(0)), ("1.0", .integer(1)), ("1e3", .integer(1000)), ("0.5", .number(0.5)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("[]", .array([])), ("{}", .object([:])),
      ("\"\\ud83c\\udf72\\u0000\\/\"", .string("🍲\0/")),
      (
        "[null,true,1,0.5,\"a\",[2],{\"b\":[]}]",
        .array([
          .null, .bool(true), .integer(1), .number(0.5), .string("a"), .array([.integer(2)]),
          .object(["b": .array([])]),
        ])
      ),
      (
        "{\"a\":null,\"b\":false,\"c\":-7,\"d\":1.5,\"e\":\"x\",\"f\":[0],\"g\":{\"h\":\"i\"}}",
        .object([
          "a": .null, "b": .bool(false), "c": .integer(-7), "d": .number(1.5), "e": .string("x"),
          "f": .array([.integer(0)]), "g": .object(["h": .string("i")]),
        ])
      ),
      ("\u{FEFF}[1]", .array([.integer(1)])),
    ] as [(String, JSONValue)])
  func reads(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
  }

  @Test("Strings keep their form: nothing is normalised")
  func keepsForm() throws {
    let value = try JSONValue(parsing: Array("\"\u{1100}\u{1161}\"".utf8))
    #expect(value == .string("\u{1100}\u{1161}"))
    if case .string(let text) = value { #expect(text.unicodeScalars.count == 2) }
  }

  @Test(
    "What is not JSON is refused with its place",
    arguments: [
      ("", .empty), (" \n\t\r", .empty),
      ("{\"a\":[1,\n  {\"b\"", .endsEarly(opened: TextPlace(line: 2, column: 3))),
      ("[1, \"ab", .endsEarly(opened: TextPlace(line: 1, column: 5))),
      ("[1, \"ab\\\"", .endsEarly(opened: TextPlace(line: 1, column: 5))),
      ("[1}", .unmatchedBracket(at: TextPlace(line: 1, column: 3))),
      ("[1]]", .unmatchedBracket(at: TextPlace(line: 1, column: 4))),
      ("[\"김치\",\n tru]", .malformed(at: TextPlace(line: 2, column: 2), excerpt: "\"tru\"")),
      ("{\"김치\": {\"price\": 1 2}}", .malformed(at: TextPlace(line: 1, column: 18), excerpt: "\"1 2\"")),
      ("{\"a\":1 \"b\":2}", .malformed(at: TextPlace(line: 1, column: 2), excerpt: "\"\\\"a\\\":1 \\\"b\\\":2\"")),
      ("{'a':1}", .malformed(at: TextPlace(line: 1, column: 2), excerpt: "\"'a':1\"")),
      ("{a:1}", .malformed(at: TextPlace(line: 1, column: 2), excerpt: "\"a:1\"")),
      ("[1,,2]", .malformed(at: TextPlace(line: 1, column: 4), excerpt: "\"\"")),
      ("[1] x", .malformed(at: TextPlace(line: 1, column: 1), excerpt: "\"[1] x\"")),
      ("NaN", .malformed(at: TextPlace(line: 1, column: 1), excerpt: "\"NaN\"")),
      ("{\"a\":[0,01]}", .malformedValue(.number, pointer: JSONPointer(tokens: ["a", "1"]))),
      ("{\"a\":1e400}", .malformedValue(.number, pointer: JSONPointer(tokens: ["a"]))),
      ("-", .malformedValue(.number, pointer: .root)),
      ("[\"\\x\"]", .malformedValue(.string, pointer: JSONPointer(tokens: ["0"]))),
      ("[[\"\\ud800\"]]", .malformedValue(.string, pointer: JSONPointer(tokens: ["0", "0"]))),
      ("{\"a\":\"x\ny\"}", .malformedValue(.string, pointer: JSONPointer(tokens: ["a"]))),
      ("\"\\u12\"", .malformed(at: TextPlace(line: 1, column: 1), excerpt: "\"\\\"\\\\u12\\\"\"")),
      ("[\0]", .zeroByte(offset: 1)),
    ] as [(String, JSONSyntaxError)])
  func refuses(text: String, error: JSONSyntaxError) {
    #expect(throws: error) { try JSONValue(parsing: Array(text.utf8)) }
    #expect(error.description.hasSuffix(".") || error.description.contains("is not JSON"))
  }

  @Test(
    "Bytes that are not UTF-8 are refused with their offset",
    arguments: [
      ([0x5B, 0x22, 0xFF, 0x22, 0x5D], 2), ([0x22, 0xEA, 0xB0, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0xFF, 0xFE, 0x5B, 0x00], 0),
    ] as [([UInt8], Int)])
  func notUTF8(bytes: [UInt8], offset: Int) {
    #expect(throws: JSONSyntaxError.invalidUTF8(offset: offset)) { try JSONValue(parsing: bytes) }
  }

  @Test("A text that was cut inside a character says so")
  func cutInCharacter() {
    #expect(throws: JSONSyntaxError.endsInCharacter(offset: 2)) { try JSONValue(parsing: [0x5B, 0x22, 0xEA, 0xB0]) }
  }

  @Test("However deep brackets nest, the answer is a tree or an error", arguments: [1, 16, 17, 512, 100_000])
  func depth(levels: Int) throws {
    for (opening, inner, closing) in [("[", "", "]"), ("{\"a\":", "1", "}")] {
      let text = String(repeating: opening, count: levels) + inner + String(repeating: closing, count: levels)
      if levels <= 16 {
        _ = try JSONValue(parsing: Array(text.utf8))
      } else {
        let place = TextPlace(line: 1, column: opening.count * 16 + 1)
        #expect(throws: JSONSyntaxError.tooDeep(at: place)) { try JSONValue(parsing: Array(text.utf8)) }
      }
    }
  }

  /// Texts that go wrong late, by what they are made of: too long to stand in a test's name.
  enum LargeFault: CaseIterable {
    case commas, elements, levels, members

    var text: String {
      switch self {
      case .commas: "[" + String(repeating: ",", count: 400_000) + "]"
      case .elements: "[" + String(repeating: "1,", count: 400_000) + "x]"
      case .levels:
        String(repeating: "[", count: 15) + "\"" + String(repeating: "a", count: 400_000) + "\",x"
          + String(repeating: "]", count: 15)
      case .members: "{" + String(repeating: "\"a\":1,", count: 100_000) + "b}"
      }
    }
  }

  @Test("A large text that goes wrong is answered within the time of a few readings", arguments: LargeFault.allCases)
  func largeFaults(fault: LargeFault) {
    let bytes = Array(fault.text.utf8)
    let time = ContinuousClock().measure {
      #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    }
    #expect(time < .seconds(10))
  }

  @Test("Every prefix of a document is refused, and none crashes")
  func prefixes() {
    let text = Array("{\"a\":[1.5,\"김\\n\",{\"b\":null}],\"c\":-12,\"d\":true}".utf8)
    for count in text.indices {
      #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(text.prefix(count))) }
    }
  }
}
