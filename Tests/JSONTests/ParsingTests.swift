import JSON
import Testing

@Suite("Reading JSON")
struct ParsingTests {
  @Test(
    "Values become what they are",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("\"김치\"", .string("김치")),
      (" 12 ", .integer(12)), ("-0", .integer(0)), ("0.5", .number(0.5)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("[]", .array([])),
      ("{}", .object([:])), ("\"\\ud83c\\udf72\\u0000\\/\"", .string("🍲\0/")),
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
    ] as [(String, JSONValue)])
  func reads(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
  }

  @Test("A number with a fraction or an exponent is not an integer", arguments: ["1.0", "1e0", "10E-1", "-0.0", "1e3"])
  func notInteger(text: String) throws {
    let number = try #require(Double(text))
    #expect(try JSONValue(parsing: Array(text.utf8)) == .number(number))
  }

  @Test("Members keep their order, and many are found as few are", arguments: [0, 1, 16, 17, 18, 1_000])
  func members(count: Int) throws {
    let keys = (0..<count).map { "키\($0 &* 7919 % 1_000)" }
    let text = "{" + keys.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
    guard case .object(let object) = try JSONValue(parsing: Array(text.utf8)) else {
      Issue.record("\(text) is an object")
      return
    }
    #expect(object.map(\.key) == keys)
    for key in keys { #expect(object[key] == .string(key)) }
    #expect(object["키"] == nil)
  }

  @Test("Objects are equal whatever the order of their keys")
  func equality() throws {
    let one = try JSONValue(parsing: Array(#"{"a":1,"b":2}"#.utf8))
    #expect(one == .object(["b": .integer(2), "a": .integer(1)]))
    #expect(one != .object(["b": .integer(2), "a": .integer(2)]))
    #expect(one != .object(["b": .integer(2), "c": .integer(1)]))
    #expect(one != .object(["a": .integer(1)]))
  }

  @Test("Nothing is normalised: composed and decomposed Hangul are two strings, and two keys")
  func keepsForm() throws {
    let value = try JSONValue(parsing: Array("{\"\u{AC00}\":1,\"\u{1100}\u{1161}\":\"\u{1100}\u{1161}\"}".utf8))
    guard case .object(let object) = value else {
      Issue.record("\(value) is an object")
      return
    }
    #expect(object["\u{AC00}"] == .integer(1))
    if case .string(let text)? = object["\u{1100}\u{1161}"] { #expect(text.unicodeScalars.count == 2) }
    #expect(object.map(\.key.unicodeScalars.count) == [1, 2])
  }

  @Test(
    "What is not JSON is refused, with the line and column of what is wrong and the value that it is in",
    arguments: [
      ("", .empty, 1, 1, ""), (" \n\t\r", .empty, 3, 1, ""), ("\u{FEFF}", .empty, 1, 2, ""),
      ("{\"a\":[1,\n  {\"b\"", .endsEarly(opened: TextPlace(line: 2, column: 3)), 2, 7, "/a/1/b"),
      ("[1, \"ab", .endsEarly(opened: TextPlace(line: 1, column: 5)), 1, 8, "/1"),
      ("[1, \"ab\\", .endsEarly(opened: TextPlace(line: 1, column: 5)), 1, 9, "/1"),
      ("[1}", .unexpected("}", expected: .commaOrBracket), 1, 3, ""),
      ("[1]]", .unexpected("]", expected: .end), 1, 4, ""),
      ("[\"김치\",\n tru]", .unexpected("tru", expected: .value), 2, 2, "/1"),
      ("[\r\n1,\r\n\r\n!]", .unexpected("!", expected: .value), 4, 1, "/1"),
      ("[\r1\r 2]", .unexpected("2", expected: .commaOrBracket), 3, 2, ""),
      ("{\"김치\": {\"price\": 1 2}}", .unexpected("2", expected: .commaOrBrace), 1, 20, "/김치"),
      ("{\"a\":1 \"b\":2}", .unexpected("\"b\"", expected: .commaOrBrace), 1, 8, ""),
      ("{'a':1}", .unexpected("'a'", expected: .key), 1, 2, ""),
      ("{\"a\":{a:1}}", .unexpected("a", expected: .key), 1, 7, "/a"),
      ("{\"a\" 1}", .unexpected("1", expected: .colon), 1, 6, "/a"),
      ("[1,,2]", .unexpected(",", expected: .value), 1, 4, "/1"),
      ("[1, ]", .trailingComma, 1, 3, ""), ("{\"a\":[{\"b\":1,\n}]}", .trailingComma, 1, 13, "/a/0"),
      ("[1] x", .unexpected("x", expected: .end), 1, 5, ""), ("NaN", .unexpected("NaN", expected: .value), 1, 1, ""),
      (
        "{\"products\":[{},{\"price\":1,\n\"title\":0, \"price\":24900}]}", .duplicateKey("price"), 2, 12,
        "/products/1/price"
      ),
      ("{\"\\u0061\":1,\"a\":2}", .duplicateKey("a"), 1, 13, "/a"), ("{\"\":1,\"\":2}", .duplicateKey(""), 1, 7, "/"),
      ("{\"a\":[0,01]}", .leadingZero, 1, 9, "/a/1"), ("{\"a\":1e400}", .numberTooLarge, 1, 6, "/a"),
      ("-", .malformedNumber, 1, 1, ""), ("[1.]", .malformedNumber, 1, 2, "/0"),
      ("[\"\\x\"]", .badEscape, 1, 3, "/0"), ("\"ab\\u12\"", .badEscape, 1, 4, ""),
      ("[[\"\\ud800\"]]", .loneSurrogate, 1, 4, "/0/0"), ("{\"a\":\"x\ny\"}", .controlCharacter(10), 1, 8, "/a"),
      ("[\0]", .zeroByte, 1, 2, "/0"), ("[\"\0\"]", .zeroByte, 1, 3, "/0"),
    ] as [(String, JSONSyntaxError.Fault, Int, Int, String)])
  func refuses(text: String, fault: JSONSyntaxError.Fault, line: Int, column: Int, pointer: String) throws {
    let error = JSONSyntaxError(
      fault, at: TextPlace(line: line, column: column), in: try #require(JSONPointer(pointer)))
    #expect(throws: error) { try JSONValue(parsing: Array(text.utf8)) }
    #expect(fault == .empty || error.description.hasPrefix("Line \(line), column \(column)"))
    #expect(error.description.hasSuffix("."))
  }

  @Test("The sentence tells a person what to look for")
  func sentence() {
    let text = Array("{\"products\": [\n  {\"price\": 1,\n   \"price\": 24900}]}".utf8)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(
      error?.description
        == "Line 3, column 4, in /products/0/price: the key \"price\" stands in this object twice.")
  }

  @Test(
    "Bytes that are not UTF-8 are refused with their place",
    arguments: [
      ([0x5B, 0x22, 0xFF, 0x22, 0x5D], 3), ([0x22, 0xEA, 0xB0, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 2),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 2), ([0xFF, 0xFE, 0x5B, 0x00], 1),
    ] as [([UInt8], Int)])
  func notUTF8(bytes: [UInt8], column: Int) {
    #expect(throws: JSONSyntaxError(.notUTF8, at: TextPlace(line: 1, column: column))) {
      try JSONValue(parsing: bytes)
    }
  }

  @Test("A text that was cut inside a character says so")
  func cutInCharacter() {
    #expect(throws: JSONSyntaxError(.endsInCharacter, at: TextPlace(line: 1, column: 3))) {
      try JSONValue(parsing: [0x5B, 0x22, 0xEA, 0xB0])
    }
  }

  @Test("However deep brackets nest, the answer is a tree or an error", arguments: [1, 16, 17, 512, 100_000])
  func depth(levels: Int) throws {
    for (opening, inner, closing) in [("[", "", "]"), ("{\"a\":", "1", "}")] {
      let text = String(repeating: opening, count: levels) + inner + String(repeating: closing, count: levels)
      if levels <= 16 {
        _ = try JSONValue(parsing: Array(text.utf8))
      } else {
        let place = TextPlace(line: 1, column: opening.count * 16 + 1)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(error?.fault == .tooDeep)
        #expect(error?.place == place)
      }
    }
  }

  /// Texts that a careless parser would take quadratic time for, by what they are made of: too long to stand in a test's
  /// name.
  enum LargeText: CaseIterable {
    case commas, elements, levels, members, equalHashesElsewhere, escapes, digits, unclosed

    var text: String {
      switch self {
      case .commas: "[" + String(repeating: ",", count: 200_000) + "]"
      case .elements: "[" + String(repeating: "1,", count: 200_000) + "x]"
      case .levels:
        String(repeating: "[", count: 15) + "\"" + String(repeating: "a", count: 200_000) + "\",x"
          + String(repeating: "]", count: 15)
      case .members: "{" + (0..<200_000).map { "\"a\($0)\":1," }.joined() + "b}"
      // Keys of one length with one sum: equal under many a simple hash.
      case .equalHashesElsewhere:
        "{"
          + (0..<65_536).map { n in
            "\"" + (0..<16).map { n >> $0 & 1 == 0 ? "bA" : "aB" }.joined() + "\":1,"
          }.joined() + "b}"
      case .escapes: "[\"" + String(repeating: "\\u0041", count: 200_000) + "\",x]"
      case .digits: "[0." + String(repeating: "1", count: 200_000) + ",x]"
      case .unclosed: "[[[]," + String(repeating: "[],", count: 200_000)
      }
    }
  }

  @Test("A large text that goes wrong late is refused, whatever it is made of", arguments: LargeText.allCases)
  func largeTexts(large: LargeText) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(large.text.utf8)) }
  }

  @Test("Every prefix of a document is refused, and none crashes")
  func prefixes() {
    let text = Array("{\"a\":[1.5,\"김\\n\\ud83c\\udf72\",{\"b\":null}],\"c\":-12,\"d\":true}".utf8)
    for count in text.indices {
      #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(text.prefix(count))) }
    }
  }
}
