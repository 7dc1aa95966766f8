/// One rule that a value broke, as one sentence in each of the shop's languages. A checked initialiser throws it.
public struct JSONRule: Error, Hashable, Sendable {
  /// A short name for programs, in lower-case words with hyphens: `missing-key`.
  public let code: String
  /// The sentence in English.
  public let english: String
  /// The sentence in Korean.
  public let korean: String

  /// A rule from its name and sentences.
  public init(_ code: String, english: String, korean: String) {
    self.code = code
    self.english = english
    self.korean = korean
  }
}

extension JSONRule {
  /// A key that nobody reads, most likely misspelt.
  public static func unknownKey(known: [String]) -> JSONRule {
    let list = known.joined(separator: ", ")
    return JSONRule(
      "unknown-key", english: "This key is not known here; the known ones are \(list).",
      korean: "여기에서 쓸 수 없는 키입니다. 쓸 수 있는 키: \(list).")
  }

  /// A key that must be there.
  public static let missingKey = JSONRule(
    "missing-key", english: "This key is missing.", korean: "꼭 있어야 하는 키가 없습니다.")

  /// A value of another kind.
  public static func wrongType(expected kind: JSONValue.Kind) -> JSONRule {
    JSONRule("wrong-type", english: "This must be \(kind.english).", korean: "값이 \(kind.korean)여야 합니다.")
  }

  /// An integer outside its bounds.
  public static func outOfRange(_ range: ClosedRange<Int64>) -> JSONRule {
    JSONRule(
      "out-of-range", english: "This must be an integer from \(range.lowerBound) to \(range.upperBound).",
      korean: "\(range.lowerBound) 이상 \(range.upperBound) 이하의 정수여야 합니다.")
  }

  /// A list with too few or too many entries.
  public static func count(_ range: ClosedRange<Int>) -> JSONRule {
    JSONRule(
      "wrong-count", english: "There must be \(range.lowerBound) to \(range.upperBound) entries.",
      korean: "항목은 \(range.lowerBound)개 이상 \(range.upperBound)개 이하여야 합니다.")
  }
}

extension JSONValue.Kind {
  /// With its article: “an integer”.
  var english: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// A noun that ends in a vowel or takes 이: it stands before 여야.
  var korean: String {
    switch self {
    case .null: "null이"
    case .boolean: "true나 false"
    case .integer: "정수"
    case .number: "숫자"
    case .string: "문자열이"
    case .array: "배열이"
    case .object: "객체"
    }
  }
}
