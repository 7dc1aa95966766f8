import CSQLite

// Each read names the type it expects. STRICT tables promise it; another type, NULL, or a column that is not there throws,
// as SQLite's own conversions would hide a mistake.
extension Statement {
  /// The integer in `column` (from 0) of the current row.
  public func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
    try expect(SQLITE_INTEGER, in: column)
    return sqlite3_column_int64(handle, column)
  }

  /// The real number in `column` (from 0) of the current row.
  public func real(_ column: Int32) throws(SQLiteError) -> Double {
    try expect(SQLITE_FLOAT, in: column)
    return sqlite3_column_double(handle, column)
  }

  /// The text in `column` (from 0) of the current row. Text that is not UTF-8 throws.
  public func text(_ column: Int32) throws(SQLiteError) -> String {
    try expect(SQLITE_TEXT, in: column)
    // The order matters: asking for the text first settles its encoding, and so its length.
    guard let start = sqlite3_column_text(handle, column) else { throw currentError }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    do {
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw misuse("column \(column) holds text that is not UTF-8")
    }
  }

  /// The bytes in `column` (from 0) of the current row.
  public func bytes(_ column: Int32) throws(SQLiteError) -> [UInt8] {
    try expect(SQLITE_BLOB, in: column)
    // An empty blob has no address.
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The integer in `column` (from 0), or nil for NULL.
  public func optionalInteger(_ column: Int32) throws(SQLiteError) -> Int64? {
    isNull(column) ? nil : try integer(column)
  }

  /// The real number in `column` (from 0), or nil for NULL.
  public func optionalReal(_ column: Int32) throws(SQLiteError) -> Double? {
    isNull(column) ? nil : try real(column)
  }

  /// The text in `column` (from 0), or nil for NULL.
  public func optionalText(_ column: Int32) throws(SQLiteError) -> String? {
    isNull(column) ? nil : try text(column)
  }

  /// The bytes in `column` (from 0), or nil for NULL.
  public func optionalBytes(_ column: Int32) throws(SQLiteError) -> [UInt8]? {
    isNull(column) ? nil : try bytes(column)
  }

  /// Whether `column` (from 0) of the current row is NULL.
  public func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  private func expect(_ type: Int32, in column: Int32) throws(SQLiteError) {
    let found = sqlite3_column_type(handle, column)
    guard found == type else {
      throw misuse("column \(column) holds \(Self.name(of: found)) where \(Self.name(of: type)) was expected")
    }
  }

  private static func name(of type: Int32) -> String {
    switch type {
    case SQLITE_INTEGER: "an integer"
    case SQLITE_FLOAT: "a real number"
    case SQLITE_TEXT: "text"
    case SQLITE_BLOB: "bytes"
    default: "nothing"
    }
  }
}
