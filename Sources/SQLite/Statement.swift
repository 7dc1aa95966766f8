import CSQLite

/// One compiled statement, finalised when the last reference to it goes.
///
/// Parameters count from 1 and columns from 0, as in SQLite. It keeps its connection open, and belongs to the same thread at
/// the same time. A statement that stands on a row holds a read lock: `reset()` it, or step it to its end.
///
/// ```swift
/// let products = try database.prepare("SELECT id, price FROM product WHERE section = ?")
/// try products.bind("soup", at: 1)
/// while try products.step() {
///   let (id, price) = (try products.text(0), try products.integer(1))
/// }
/// ```
public final class Statement {
  /// The SQL it was compiled from.
  public let sql: String
  let handle: OpaquePointer
  private let database: Database

  init(_ sql: String, of database: Database) throws(SQLiteError) {
    var compiled: OpaquePointer?
    // The tail would point into memory that is gone after the call, so its offset is taken inside.
    var sql = sql
    let (result, rest) = sql.withUTF8 { bytes -> (Int32, Int) in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let count = Int32(clamping: characters.count)
        let result = sqlite3_prepare_v2(database.handle, characters.baseAddress, count, &compiled, &tail)
        guard let tail, let start = characters.baseAddress else { return (result, 0) }
        return (result, tail - start)
      }
    }
    guard result == SQLITE_OK else { throw SQLiteError(handle: database.handle, sql: sql, path: database.path) }
    guard let compiled else {
      throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "there is no statement", sql: sql, path: database.path)
    }
    guard sql.utf8.dropFirst(rest).allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x3B }) else {
      sqlite3_finalize(compiled)
      throw SQLiteError(
        extendedCode: SQLITE_MISUSE, message: "there is more than one statement", sql: sql, path: database.path)
    }
    self.sql = sql
    self.database = database
    handle = compiled
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Moves to the next row.
  ///
  /// - Returns: false when there is none; the statement is then ready to run again with the values it has.
  public func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    default:
      let error = currentError
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs to the end, whatever rows there are.
  public func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Binds all values in order, and runs to the end.
  public func run(_ values: [SQLiteValue]) throws(SQLiteError) {
    try bind(values)
    try run()
  }

  /// Leaves the row it stands on, and forgets all values.
  public func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  var currentError: SQLiteError { SQLiteError(handle: database.handle, sql: sql, path: database.path) }

  func misuse(_ message: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_MISMATCH, message: message, sql: sql, path: database.path)
  }
}
