import SQLite

/// The open index: its connection and its tables. Belongs to the lock of its ``CacheIndex``.
final class IndexConnection {
  private let database: Database
  private let bodies: BodyTable
  private let sources: SourceTable
  private let derived: DerivedTable

  /// Opens the index, or makes it.
  ///
  /// - Throws: `SQLiteError`, of kind `.notADatabase` also when the file is another program's, or of another version.
  init(path: String) throws(SQLiteError) {
    // The journal survives a crash of this process; nothing waits for the disk.
    let database = try Database(path: path, mode: .create, journal: .truncate, synchronous: .off)
    try IndexSchema.prepare(database)
    guard try database.applicationID() == IndexSchema.applicationID,
      try database.userVersion() == IndexSchema.version
    else {
      throw SQLiteError(extendedCode: notADatabase, message: "this is not this program's index", path: path)
    }
    self.database = database
    do throws(SQLiteError) {
      bodies = try BodyTable(database)
      sources = try SourceTable(database)
      derived = try DerivedTable(database)
    } catch {
      throw SQLiteError(extendedCode: notADatabase, message: "tables are missing: \(error.message)", path: path)
    }
  }

  func find(_ key: SourceKey) throws(SQLiteError) -> SourceRecord? { try sources.find(key)?.record }

  func find(_ key: DerivedKey) throws(SQLiteError) -> StoredBody? { try derived.find(key) }

  /// Notes a body whose file is about to get its name.
  func admit(_ digest: Digest, bytes: Int) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      if try bodies.find(digest) == nil { try bodies.add(digest, bytes: bytes) }
    }
  }

  /// Notes what is known of a source whose body was admitted.
  ///
  /// - Returns: false when the body is not there (any more), and nothing was noted.
  func store(_ record: SourceRecord) throws(SQLiteError) -> Bool {
    try database.transaction { () throws(SQLiteError) in
      guard let body = try bodies.find(record.digest) else { return false }
      let former = try sources.find(record.key)?.body
      try sources.store(record, body: body.id)
      try updateRanks(body, former)
      return true
    }
  }

  /// Notes what was derived, once its body was admitted.
  ///
  /// - Returns: false when the body is not there (any more), and nothing was noted.
  func store(_ digest: Digest, as key: DerivedKey) throws(SQLiteError) -> Bool {
    try database.transaction { () throws(SQLiteError) in
      guard let body = try bodies.find(digest) else { return false }
      let former = try derived.find(key)
      try derived.store(key, body: body.id)
      try updateRanks(body, former)
      return true
    }
  }

  func forget(_ key: SourceKey) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      let former = try sources.find(key)?.body
      try sources.forget(key)
      try updateRanks(former)
    }
  }

  func forget(_ key: DerivedKey) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      let former = try derived.find(key)
      try derived.forget(key)
      try updateRanks(former)
    }
  }

  func total(of rank: BodyRank) throws(SQLiteError) -> BodyTotal { try bodies.total(of: rank) }

  private func updateRanks(_ changed: StoredBody?...) throws(SQLiteError) {
    for body in changed { if let body { try bodies.updateRank(of: body.id) } }
  }
}

/// SQLITE_NOTADB.
private let notADatabase: Int32 = 26
