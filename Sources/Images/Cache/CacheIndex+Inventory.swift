import SQLite

extension CacheIndex {
  /// Some bodies after a row, in the order of rows.
  func bodies(after id: Int64, limit: Int) throws(SQLiteError) -> [StoredBody] {
    try repairing { connection throws(SQLiteError) in
      let select = try connection.database.prepare(
        "SELECT id, digest, bytes FROM body WHERE id > ? ORDER BY id LIMIT ?")
      try select.bind([.integer(id), .integer(Int64(limit))])
      var bodies: [StoredBody] = []
      while try select.step() {
        if let body = try select.body(0) { bodies.append(body) }
      }
      return bodies
    }
  }
}
