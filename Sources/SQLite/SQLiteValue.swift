/// A value on its way into a statement, where writing each by its own call would say less.
public enum SQLiteValue: Equatable, Sendable {
  /// NULL.
  case null
  /// An INTEGER.
  case integer(Int64)
  /// A REAL.
  case real(Double)
  /// A TEXT, as UTF-8.
  case text(String)
  /// A BLOB.
  case bytes([UInt8])
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByNilLiteral
{
  /// An INTEGER.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A REAL.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A TEXT.
  public init(stringLiteral value: String) { self = .text(value) }
  /// NULL.
  public init(nilLiteral: ()) { self = .null }
}
