import SQLite

extension CatalogStore {
  /// Looks through a database that is a copy of a shop's: that it is whole, ours, not newer than this program, and that every
  /// row makes sense. An older one is brought up to date, in the file itself.
  ///
  /// - Returns: the catalog it holds.
  public static func examine(copyAt path: String) throws(CatalogStoreError) -> CatalogSnapshot {
    let database: Database
    do {
      database = try Database(path: path, mode: .readWrite)
      try database.checkIntegrity()
    } catch {
      throw .failed(error)
    }
    do {
      _ = try CatalogSchema.current.migrate(database, isCopy: true)
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
