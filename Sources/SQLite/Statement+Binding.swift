import CSQLite

// SQLite copies what is bound before the call returns, so no pointer outlives its closure.
extension Statement {
  /// Sets parameter `index` (from 1) to an integer, or to NULL.
  public func bind(_ value: Int64?, at index: Int32) throws(SQLiteError) {
    guard let value else { return try bindNull(at: index) }
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Sets parameter `index` (from 1) to a real number, or to NULL.
  public func bind(_ value: Double?, at index: Int32) throws(SQLiteError) {
    guard let value else { return try bindNull(at: index) }
    try check(sqlite3_bind_double(handle, index, value))
  }

  /// Sets parameter `index` (from 1) to text, or to NULL.
  public func bind(_ value: String?, at index: Int32) throws(SQLiteError) {
    guard var value else { return try bindNull(at: index) }
    let result = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty string may have no address at all, which SQLite would take for NULL.
        guard let start = characters.baseAddress else { return csqlite_bind_text(handle, index, "", 0) }
        guard let count = Int32(exactly: characters.count) else { return SQLITE_TOOBIG }
        return csqlite_bind_text(handle, index, start, count)
      }
    }
    try check(result)
  }

  /// Sets parameter `index` (from 1) to bytes, or to NULL.
  public func bind(_ value: [UInt8]?, at index: Int32) throws(SQLiteError) {
    guard let value else { return try bindNull(at: index) }
    let result = value.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      return csqlite_bind_blob(handle, index, start, count)
    }
    try check(result)
  }

  /// Sets parameter `index` (from 1) to NULL.
  public func bindNull(at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, index))
  }

  /// Sets parameter `index` (from 1).
  public func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let integer): try bind(integer, at: index)
    case .real(let real): try bind(real, at: index)
    case .text(let text): try bind(text, at: index)
    case .bytes(let bytes): try bind(bytes, at: index)
    }
  }

  /// Sets all parameters in order.
  ///
  /// - Throws: also when there are more or fewer values than parameters.
  public func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    let wanted = sqlite3_bind_parameter_count(handle)
    guard values.count == Int(wanted) else {
      throw misuse("\(values.count) values for \(wanted) parameters")
    }
    var index: Int32 = 0
    for value in values {
      index += 1
      try bind(value, at: index)
    }
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    guard result == SQLITE_OK else { throw currentError }
  }
}
