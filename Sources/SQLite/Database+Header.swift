extension Database {
  /// The four bytes in the file's header that say whose database it is; 0 when nobody said.
  public func applicationID() throws(SQLiteError) -> Int32 {
    Int32(truncatingIfNeeded: try integer("PRAGMA application_id") ?? 0)
  }

  /// Marks the file as an application's own.
  public func setApplicationID(_ id: Int32) throws(SQLiteError) {
    try execute("PRAGMA application_id = \(id)")
  }

  /// The version of the schema, as the application counts it; 0 in a new file.
  public func userVersion() throws(SQLiteError) -> Int32 {
    Int32(truncatingIfNeeded: try integer("PRAGMA user_version") ?? 0)
  }

  /// Notes the version of the schema. Inside a transaction it is part of it.
  public func setUserVersion(_ version: Int32) throws(SQLiteError) {
    try execute("PRAGMA user_version = \(version)")
  }

  /// Whether the file holds no table, index, view or trigger.
  public func isEmpty() throws(SQLiteError) -> Bool {
    try integer("SELECT count(*) FROM sqlite_schema") == 0
  }
}
