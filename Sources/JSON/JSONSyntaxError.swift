/// Why bytes are not a JSON document, and where.
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let fault: Fault
  /// Where it stands.
  public let place: TextPlace
  /// The value that was being read there. For a repeated key, the member of that key.
  public let pointer: JSONPointer

  /// An error from its parts.
  public init(_ fault: Fault, at place: TextPlace, in pointer: JSONPointer = .root) {
    self.fault = fault
    self.place = place
    self.pointer = pointer
  }

  /// The ways in which a text is no JSON document.
  public enum Fault: Equatable, Sendable {
    /// There is nothing but white space.
    case empty
    /// No UTF-8 sequence begins here.
    case notUTF8
    /// The text ends inside the character that begins here.
    case endsInCharacter
    /// A zero byte: the text is UTF-16, or damaged.
    case zeroByte
    /// The text ends, and what opened there is not closed.
    case endsEarly(opened: TextPlace)
    /// Something else stands where one of these should.
    case unexpected(String, expected: Expectation)
    /// Nothing follows this comma.
    case trailingComma
    /// The bracket here stands in more others than any document of the shop needs.
    case tooDeep
    /// The object has this key already.
    case duplicateKey(String)
    /// A control character stands in a string as it is.
    case controlCharacter(UInt8)
    /// A backslash with something that it cannot escape.
    case badEscape
    /// One half of a surrogate pair, without the other.
    case loneSurrogate
    /// A number is not written as JSON writes numbers.
    case malformedNumber
    /// A number has a zero in front of its digits.
    case leadingZero
    /// A number is too large for 64 bits of floating point.
    case numberTooLarge
  }

  /// What may stand in a place.
  public enum Expectation: String, Sendable {
    /// Any value.
    case value = "a value"
    /// A key, or an object's end where it has none yet.
    case key = "a key in double quotes"
    /// What separates a key from its value.
    case colon = "a colon"
    /// What follows an element.
    case commaOrBracket = "a comma or ]"
    /// What follows a member.
    case commaOrBrace = "a comma or }"
    /// Nothing.
    case end = "the end of the text"
  }

  /// One sentence that says where and what: “Line 3, column 14, in /products/3: a comma or } should stand here instead of '"id"'.”
  public var description: String {
    if fault == .empty { return "The text is empty." }
    let inside = pointer == .root ? "" : ", in \(pointer)"
    return "Line \(place.line), column \(place.column)\(inside): \(fault.clause)."
  }
}

extension JSONSyntaxError.Fault {
  fileprivate var clause: String {
    switch self {
    case .empty: "there is nothing"
    case .notUTF8: "this is not UTF-8; save the text as UTF-8"
    case .endsInCharacter: "the text ends inside this character; the rest is missing"
    case .zeroByte: "there is a zero byte; save the text as UTF-8, not UTF-16"
    case .endsEarly(let opened): "the text ends before what opens at \(opened) is closed; the rest is missing"
    case .unexpected(let found, .end): "there is more after the end of the document: '\(found)'"
    case .unexpected(let found, let expected): "\(expected.rawValue) should stand here instead of '\(found)'"
    case .trailingComma: "nothing follows this comma; take it away"
    case .tooDeep: "this is more than \(JSONParser.deepest) brackets deep, and JSON of this shop is never so deep"
    case .duplicateKey(let key): "the key \(JSONValue.string(key).summary) stands in this object twice"
    case .controlCharacter(let byte): "a control character (\(byte)) in a string must be written with a backslash"
    case .badEscape: "a backslash here is followed by something that it cannot escape"
    case .loneSurrogate: "this is half of a character (a surrogate without its pair)"
    case .malformedNumber: "this is not how JSON writes a number"
    case .leadingZero: "a number has no zero in front"
    case .numberTooLarge: "this number is too large"
    }
  }
}
