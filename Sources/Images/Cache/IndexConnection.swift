import SQLite

/// The open index: its connection and its tables. Belongs to the lock of its ``CacheIndex``.
final class IndexConnection {
  let database: Database
  /// Whether the index was made just now, and knows nothing of what stands on the disk.
  let isNew: Bool
  let bodies: BodyTable
  let sources: SourceTable
  let derived: DerivedTable

  /// Opens the index, or makes it.
  ///
  /// - Throws: `SQLiteError`, of kind `.notADatabase` also when the file is another program's, or of another version.
  init(path: String) throws(SQLiteError) {
    // The journal survives a crash of this process; nothing waits for the disk.
    let database = try Database(path: path, mode: .create, journal: .truncate, synchronous: .off)
    isNew = try IndexSchema.prepare(database)
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

  /// Notes a body whose file is about to get its name.
  ///
  /// - Returns: the number of its new row; nil when it was known before.
  func admit(_ digest: Digest, bytes: Int) throws(SQLiteError) -> Int64? {
    try database.transaction { () throws(SQLiteError) in
      guard try bodies.find(digest) == nil else { return nil }
      try bodies.add(digest, bytes: bytes)
      return database.lastInsertedRowID
    }
  }

  /// Notes what is known of a source whose body was admitted.
  ///
  /// - Returns: false when the body is not there (any more), and nothing was noted.
  func store(_ record: SourceRecord, isPinned: Bool) throws(SQLiteError) -> Bool {
    try database.transaction { () throws(SQLiteError) in
      guard let body = try bodies.find(record.digest) else { return false }
      let former = try sources.find(record.key)?.body
      try sources.store(record, body: body.id, isPinned: isPinned)
      try bodies.updateRank(of: body.id)
      if let former, former != body { try leave(former) }
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
      try bodies.updateRank(of: body.id)
      if let former, former != body { try bodies.updateRank(of: former.id) }
      return true
    }
  }

  func forget(_ key: SourceKey) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      guard let former = try sources.find(key)?.body else { return }
      try sources.forget(key)
      try leave(former)
    }
  }

  func forget(_ key: DerivedKey) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      guard let former = try derived.find(key) else { return }
      try derived.forget(key)
      try bodies.updateRank(of: former.id)
    }
  }

  /// A source left this body. When it was the last, what was made from it goes too: no name leads there any more.
  private func leave(_ body: StoredBody) throws(SQLiteError) {
    if try !sources.refers(to: body.id) {
      for made in try derived.forget(madeFrom: body.digest) { try bodies.updateRank(of: made) }
    }
    try bodies.updateRank(of: body.id)
  }

  /// Pins sources, or lets them go; those that are not there are passed over.
  func setPinned(_ isPinned: Bool, _ keys: some Sequence<SourceKey>) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      for key in keys {
        if let body = try sources.setPinned(isPinned, key) { try bodies.updateRank(of: body) }
      }
    }
  }
}

/// SQLITE_NOTADB.
private let notADatabase: Int32 = 26
