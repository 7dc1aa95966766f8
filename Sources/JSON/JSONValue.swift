/// A JSON document as a tree, for input that is looked at once: files, request bodies, answers of other shops.
///
/// Output does not pass through here: `JSONWriter` writes it, faster and in a fixed order.
public enum JSONValue: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number that is written without a fraction and an exponent, and fits 64 bits.
  case integer(Int64)
  /// Any other number, `1.0` included, as the nearest `Double`; never infinite.
  case number(Double)
  /// A string, as it was written: not normalised.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)

  /// What kind of value this is, as a person would say it: “a string”, “an object”.
  public var kind: Kind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .integer: .integer
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The kinds of value.
  public enum Kind: String, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case boolean
    /// A number without a fraction.
    case integer
    /// A number.
    case number
    /// Text.
    case string
    /// A list.
    case array
    /// Keys with values.
    case object
  }
}

extension JSONValue {
  /// The value in a few characters, for messages: a string or number as JSON writes it, cut after 60 scalars; of an
  /// array or object only its size.
  public var summary: String {
    switch self {
    case .array(let elements): return elements.isEmpty ? "[]" : "[… \(elements.count) values]"
    case .object(let members): return members.isEmpty ? "{}" : "{… \(members.count) keys}"
    case .string(let text):
      // Counted in scalars: a single Character may be as long as the document.
      let start = text.unicodeScalars.prefix(60)
      var writer = JSONWriter()
      writer.write(start.endIndex < text.endIndex ? "\(String(start))…" : text)
      return String(decoding: writer.bytes, as: UTF8.self)
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .integer(let number): return String(number)
    case .number(let number): return String(number)
    }
  }
}
