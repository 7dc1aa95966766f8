import JSON
import Testing

/// What RFC 8259 says of small texts, one a line: those it allows, those it forbids, and those it leaves to the parser.
@Suite("The grammar of JSON")
struct GrammarTests {
  static let allowed = [
    // Structure and white space.
    "[]", "{}", "[ ]", "{ }", " [] ", "\t[\n]\r", "[[]]", "[{}]", "{\"a\":{}}", "[[],[]]", "[[],{},\"\",0]",
    "{\"a\":[]}", "{\"a\" : 1}", "{\"a\":1,\"b\":2}", "{ \"a\" : 1 , \"b\" : 2 }", "[1 , 2]", "[1\n]", "{\"a\"\n:\r1}",
    // Any value may be the document.
    "null", "true", "false", "0", "-1", "1.5", "\"\"", "\"x\"", " 7", "7 ", "7\n",
    // Keys.
    "{\"\":0}", "{\"\\u0000\":0}", "{\"a\":1,\"A\":2}", "{\"a\":1,\"a \":2}", "{\"김\":1,\"치\":2}", "{\"__proto__\":1}",
    "{\"a\":{\"a\":{\"a\":1}}}",
    // Numbers.
    "-0", "0.0", "-0.0", "0e0", "0E+1", "0e-1", "1e1", "1E1", "1e+1", "1e-1", "1.5e3", "1.5E-3", "0.1", "10", "100.001",
    "123456789", "-123.456e-78", "1.7976931348623157e308", "5e-324", "2.2250738585072014e-308", "1e00", "1e01", "20e1",
    "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
    // Strings.
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0020\"", "\"\\u00e9\\u00E9\"", "\"\\ud834\\uDd1e\"", "\"\\uD801\\udc37\"",
    "\"\\uDBFF\\uDFFF\"", "\"\\u0000\"", "\"\\u001f\"", "\"\\uFFFF\"", "\"\\ufdd0\"", "\"\\u2028\\u2029\"", "\"/\"",
    "\"'\"",
    "\"\u{7F}\"", "\"\u{80}\"", "\"\u{2028}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"", "\"\u{FEFF}\"", "\"//\"", "\"/*a*/\"",
    "\",\"",
    "\"[{}]\"", "\"\\\\u0041\"", "\"\\\\\"", "\"a\\\\\\\"\"", "\"김치\"", "\"🍲\"", "\"e\u{301}\"",
  ]

  static let forbidden = [
    // Brackets and commas.
    "[", "]", "{", "}", "[}", "{]", "[[]", "[]]", "{}}", "{{}", "[1", "[1,", "[,", "[,1]", "[1,]", "[1,,]", "[1,,2]",
    "[,]", "[1 2]", "[1;2]", "[\"a\" \"b\"]", "[:1]", "[1:2]", "[\"a\":1]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
    "{\"a\":1,,\"b\":2}",
    "{,\"a\":1}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1:2}", "{\"a\":1 \"b\":2}", "{\"a\",1}", "{\"a\"=1}", "{:1}",
    "{1:1}", "{null:1}",
    "{true:1}", "{[]:1}", "{{}:1}", "{a:1}", "{'a':1}", "{\"a\":a}", "{\"a\":1", "{\"a\":", "{\"a\"", "{\"", "{\"a",
    "{\"a\":1}}", "{\"a\":\"b\"}#", "{\"a\":1}\"", "{\"a\":[}", "{\"a\":[1}", "[{\"a\":1]", "[{]", "<null>", "[<null>]",
    // More than one document, or none.
    "1 2", "[] []", "{}{}", "null null", "[],", "1,", "[]x", "\"\"\"", "", " ", "\n", "\u{FEFF}", ",", ":",
    "\u{FEFF}\u{FEFF}[]",
    "[]\u{FEFF}", "[]\0", "\0[]",
    // Comments and other dialects.
    "//\n1", "1//", "1 // one", "/**/1", "[1/**/]", "#\n1", "{\"a\":/*x*/1}", "'a'", "['a']", "`a`", "“a”", "[a]",
    "undefined",
    "NaN", "nan", "[NaN]", "Infinity", "-Infinity", "[-Infinity]", "inf", "-NaN", "True", "TRUE", "False", "Null",
    "NULL", "None",
    "nul", "tru", "fals", "nulll", "truee", "[nul]", "[truefalse]", "t", "n\0ll", "[u\"a\"]", "b\"a\"", "(1)", "$", "*",
    "&", "@",
    "=1", "%00", "\\u0031", "\\n", "[\\u0020]", "\"a\"+\"b\"", "1;", "{}.", "a", "é", "å", "김",
    // White space of other kinds.
    "[\u{C}]", "[\u{B}]", "[\u{A0}]", "\u{2060}[]", "[\u{3000}]", "\u{85}[]", "[\u{2028}]", "\u{1}",
    // Numbers.
    "-", "+", "+1", "++1", "--1", "-a", "- 1", "[-]", "[+1]", "[- 1]", ".5", "-.5", "[.5]", "5.", "-5.", "[5.]", "5.e1",
    ".e1", ".",
    "..1", "1..2", "1.2.3", "1.2.", "0.e1", "01", "-01", "00", "-00", "007", "012.3", "[01]", "1e", "1E", "1e+", "1e-",
    "1e.5",
    "1e1.5", "1ee1", "1e1e1", "1e+-1", "1e++1", "e1", "E1", "1 e1", "1e 1", "1. 5", "1 .5", "0x1", "0X1F", "0b1", "0o7",
    "1f", "1L", "1n",
    "1_000", "1,000", "1a", "-1x", "0a", "1e1a", "٣", "１", "[１]", "1e١", "−1", "1e400", "-1e400", "1/2", "1h", "0.1.2",
    "-0x1", "1]",
    // Strings.
    "\"", "\"a", "a\"", "\"a\nb\"", "\"a\tb\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\r\"", "\"\\\"", "\"\\", "\"\\a\"",
    "\"\\x41\"",
    "\"\\0\"", "\"\\'\"", "\"\\ \"", "\"\\\n\"", "\"\\\u{E9}\"", "\"\\🍲\"", "\"\\U0041\"", "\"\\u\"", "\"\\u0\"",
    "\"\\u004\"", "\"\\u004g\"",
    "\"\\u 041\"", "\"\\u+041\"", "\"\\u0x41\"", "\"\\u{41}\"", "\"\\u00Ａ0\"", "\"\\u004", "\"\\u0041", "\"\\v\"",
    "[\"a]", "[\"a\\\"]",
    // Surrogates that are no pair.
    "\"\\ud800\"", "\"\\udc00\"", "\"\\uDFFF\"", "\"\\ud800\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud800a\"",
    "\"\\ud800\\n\"", "\"\\ud800\\",
    "\"\\ud800\\u", "\"\\ud800\\u\"", "\"\\ud800\\u00\"", "\"\\ud800\\u0041\"", "\"\\uD834\\uD834\\uDD1E\"",
    "\"a\\ud83c\"", "{\"\\ud800\":1}",
    // Keys that stand twice (RFC 8259 only warns of them; a file of ours has none).
    "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":1,\"\\u0061\":2}", "[{\"x\":{\"y\":1,\"y\":2}}]",
    "{\"\":0,\"\":0}",
    "{\"김\":1,\"\\uae40\":2}",
  ]

  /// Texts that a parser may take or refuse, and what this one makes of them.
  static let left: [(text: String, value: JSONValue)] = [
    ("\u{FEFF}[1]", .array([.integer(1)])),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
    ("123456789012345678901234567890", .number(123_456_789_012_345_678_901_234_567_890)),
    ("1e-400", .number(0)), ("-1e-400", .number(-0.0)), ("0e999999", .number(0)),
    ("0.1000000000000000055511151231257827021181583404541015625", .number(0.1)),
    ("9007199254740993.0", .number(9_007_199_254_740_992)), ("\"\\uDBFF\\uDFFE\"", .string("\u{10FFFE}")),
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", .object(["\u{E9}": .integer(1), "e\u{301}": .integer(2)])),
  ]

  @Test("What it allows is read", arguments: allowed)
  func reads(text: String) throws {
    _ = try JSONValue(parsing: Array(text.utf8))
    // It is no less JSON as an element, as a member, and with white space around it.
    for (before, after) in [("[", "]"), ("{\"k\":", "}"), ("[0,", ",0]"), (" \r\n\t", " \r\n\t")] {
      _ = try JSONValue(parsing: Array((before + text + after).utf8))
    }
  }

  @Test("What it forbids is refused", arguments: forbidden)
  func refuses(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("What it leaves open is decided", arguments: left)
  func decides(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
  }

  @Test(
    "No spelling of a scalar is taken but UTF-8's shortest",
    arguments: [
      [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0xAF],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0x81, 0xED, 0xB0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3],
      [0xE2, 0x82],
      [0xF0, 0x9F, 0x8D], [0xC3, 0xC3, 0xA9], [0xE9],
    ] as [[UInt8]])
  func encodings(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    for text in [[quote] + bytes + [quote], bytes, [0x5B] + bytes + [0x5D], [quote, 0x5C] + bytes + [quote]] {
      #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    }
  }

  @Test(
    "UTF-16 and UTF-32 are refused, and the sentence says what to do",
    arguments: [[0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D]])
  func otherEncodings(bytes: [UInt8]) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    #expect(error?.fault == .zeroByte)
  }
}
