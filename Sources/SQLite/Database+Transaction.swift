import CSQLite

extension Database {
  /// Runs `work` as one transaction that holds the write lock from its first moment (`BEGIN IMMEDIATE`).
  ///
  /// Commits when `work` returns, rolls back when it throws or the commit fails. Transactions do not nest.
  ///
  /// - Throws: what `work` throws, or `Kind.busy` when another connection holds the lock.
  public func transaction<Value>(_ work: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try work()
      try execute("COMMIT")
      return value
    } catch {
      // Some errors, a full disk among them, have rolled back already.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Whether a transaction is open on this connection.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
