import Glibc
import SQLite

extension CatalogStore {
  /// Looks through a database that is a copy of a shop's: that it is whole, ours, not newer than this program, and that every
  /// row makes sense. An older one is brought up to date, in the file itself.
  ///
  /// - Returns: the catalog it holds.
  public static func examine(copyAt path: String) throws(CatalogStoreError) -> CatalogSnapshot {
    try examine(copyAt: path, schema: CatalogSchema.current)
  }

  static func examine(copyAt path: String, schema: Schema) throws(CatalogStoreError) -> CatalogSnapshot {
    let database: Database
    do {
      database = try Database(path: path, mode: .readWrite)
      try database.checkIntegrity()
    } catch {
      throw .failed(error)
    }
    do {
      _ = try schema.migrate(database, isCopy: true)
    } catch {
      throw .unsuitable(error)
    }
    return try CatalogLoader(database: database).load()
  }

  /// Makes the shop what it was in a copy of its database, in one transaction: a crash in the middle leaves it as it is now.
  ///
  /// Two things do not go back, because clients hold on to what they were told: the catalog's version moves on from the
  /// higher of both, and a picture whose revision is higher now keeps what is known of it now, so that its name never comes to
  /// mean other bytes.
  ///
  /// - Parameter path: a copy that ``examine(copyAt:)`` has found good. It is changed on the way, so it must be the caller's
  ///   own.
  /// - Returns: the catalog as it is from now on.
  public func restore(copyAt path: String, now: Int64 = CatalogStore.now) throws(CatalogStoreError) -> CatalogSnapshot {
    let examined = try Self.examine(copyAt: path)
    let copy: Database
    do {
      copy = try Database(path: path, mode: .readWrite)
    } catch {
      throw .failed(error)
    }
    let outcome: Result<CatalogSnapshot, CatalogStoreError> = try write { (rows) throws(SQLiteError) in
      let base = snapshot
      try copy.transaction { () throws(SQLiteError) in
        try Self.keepRevisions(of: rows.database, in: copy)
        try CatalogRows(database: copy).publish(
          version: max(base.version, examined.version) + 1, at: max(now, base.publishedAt, examined.publishedAt))
      }
      // Read before it is put in place: what cannot be read is not restored.
      let restored: CatalogSnapshot
      do throws(CatalogStoreError) { restored = try CatalogLoader(database: copy).load() } catch {
        return .failure(error)
      }
      try rows.database.replaceContents(with: copy)
      publish(restored)
      return .success(restored)
    }
    return try outcome.get()
  }

  /// Puts a database that ``examine(copyAt:)`` has found good in the place of one that cannot be used: it is damaged, no
  /// database at all, or of a newer program. That one is kept beside it, under another name.
  ///
  /// A crash in the middle leaves the one or the other in place, never none.
  ///
  /// - Parameter path: the good one, in the same folder; it is gone from there afterwards.
  /// - Returns: the name that the other one has from now on; nil when there was none.
  public static func replaceUnusable(
    in folder: DataFolder, by path: String, now: Int64 = CatalogStore.now
  ) throws(CatalogStoreError) -> String? {
    let database = folder.file(fileName)
    let examined = try examine(copyAt: path)
    let last = lastPublication(in: database)
    do {
      let copy = try Database(path: path, mode: .readWrite)
      try copy.transaction { () throws(SQLiteError) in
        try CatalogRows(database: copy).publish(
          version: max(last?.version ?? 0, examined.version) + 1, at: max(now, last?.time ?? 0, examined.publishedAt))
      }
    } catch {
      throw .failed(error)
    }
    let aside = Database.unusedPath("\(database).unusable")
    do {
      // Of the same file: what is in place stays there until the good one takes its name.
      if link(database, aside) != 0, errno != ENOENT { try Database.rename(database, to: aside) }
      // A journal of the old file would be played back into the new one.
      for journal in ["-journal", "-wal", "-shm"] where access(database + journal, F_OK) == 0 {
        try Database.rename(database + journal, to: aside + journal)
      }
      try Database.rename(path, to: database)
    } catch {
      throw .failed(error)
    }
    guard access(aside, F_OK) == 0 else { return nil }
    return aside.split(separator: "/").last.map(String.init)
  }

  /// When and as what a database that cannot be used last published its catalog, if that can be read all the same: clients
  /// hold on to the version. Reading also plays back what a killed writer left.
  private static func lastPublication(in path: String) -> (version: Int64, time: Int64)? {
    guard access(path, F_OK) == 0, let database = try? Database(path: path, mode: .readWrite),
      let version = try? database.integer("SELECT version FROM publication"),
      let time = try? database.integer("SELECT published_at FROM publication"),
      // Room to count on, and no year 5000 that a damaged page tells.
      (0..<Int64.max / 2).contains(version), (0...CatalogStore.now + 86_400).contains(time)
    else { return nil }
    return (version, time)
  }

  private static func keepRevisions(of current: Database, in copy: Database) throws(SQLiteError) {
    let table = PictureTable(database: copy)
    let old = try table.all()
    try table.put(
      try PictureTable(database: current).all().values.filter { picture in
        picture.state.revision > old[picture.reference]?.state.revision ?? 0
      })
  }

  /// Reads what is on the disk again, and tells whether it is whole and the same as what is shown.
  public func verify() throws(CatalogStoreError) -> Bool {
    let shown = snapshot
    let read: CatalogSnapshot? = try write { (rows) throws(SQLiteError) in
      try rows.database.checkIntegrity()
      return try? CatalogLoader(database: rows.database).load()
    }
    guard let read else { return false }
    return read.version == shown.version && SeedWriter.write(SeedCatalog(read)) == SeedWriter.write(SeedCatalog(shown))
      && read.pictures.mapValues(\.state) == shown.pictures.mapValues(\.state)
  }

  /// What bringing a database up to this program's version takes.
  public typealias MigrationPlan = Schema.Plan

  /// What opening a database would change in it, without changing it.
  public static func migrationPlan(databaseAt path: String) throws(CatalogStoreError) -> MigrationPlan {
    let database: Database
    do {
      database = try reader(of: path)
    } catch {
      throw .failed(error)
    }
    do {
      return try CatalogSchema.current.plan(database)
    } catch {
      throw .unsuitable(error)
    }
  }
}
