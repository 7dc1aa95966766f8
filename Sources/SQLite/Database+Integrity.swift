import CSQLite

extension Database {
  /// Reads the whole file and checks that it agrees with itself, foreign keys included
  /// (https://www.sqlite.org/pragma.html#pragma_integrity_check).
  ///
  /// - Throws: an error of kind `.corrupt` that says what was found first.
  public func checkIntegrity() throws(SQLiteError) {
    let check = try prepare("PRAGMA integrity_check(1)")
    let verdict = try check.step() ? check.text(0) : "no answer"
    check.reset()
    guard verdict == "ok" else { throw SQLiteError(extendedCode: SQLITE_CORRUPT, message: verdict, path: path) }
    let references = try prepare("PRAGMA foreign_key_check")
    guard try !references.step() else {
      let table = try references.text(0)
      references.reset()
      throw SQLiteError(
        extendedCode: SQLITE_CORRUPT, message: "a row of \(table) refers to one that is not there", path: path)
    }
  }

  /// The version of the SQLite library that is linked, such as `3.40.1`.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
