import FoundationEssentials
import SQLite
import Synchronization

/// The shop's catalog: durable in SQLite, readable as a snapshot in memory.
///
/// Any thread may read at any time, without waiting for a writer. Writing methods take a lock, wait for the disk, and belong
/// on a blocking thread, never on an event loop. After they return, what they changed survives a power cut.
///
/// ```swift
/// let store = try CatalogStore(in: DataFolder("data"))
/// let summary = try store.import(SeedFile.read(bytes), missing: .hide)
/// for shelf in store.snapshot.sections { print(shelf.section.name, shelf.products.count) }
/// ```
public final class CatalogStore: Sendable {
  /// The database's name in the data folder.
  public static let fileName = "banchan.db"

  /// The folder, held as long as the store; nil for a frozen one.
  public let folder: DataFolder?
  /// Written only under `writer`'s lock, and read by everyone.
  private let current: Mutex<CatalogSnapshot>
  private let currentVersion: Atomic<Int64>
  /// The one connection that writes. A statement never outlives the lock.
  private let writer: Mutex<CatalogRows?>

  /// Opens the shop's database, which is made or upgraded when it must be, and reads it.
  ///
  /// Ten thousand products take about 50 ms.
  public convenience init(in folder: DataFolder) throws(CatalogStoreError) {
    try self.init(in: folder, schema: CatalogSchema.current)
  }

  /// Opens a shop as a program does that knows another schema: for tests of upgrades and of the way back.
  init(in folder: DataFolder, schema: Schema) throws(CatalogStoreError) {
    let database: Database
    do {
      // Reads come from the snapshot, so a large page cache would be for nothing.
      database = try Database(
        path: folder.file(Self.fileName), mode: .create, busyTimeout: 2_000, journal: .truncate, synchronous: .full,
        cache: 512)
    } catch {
      throw .failed(error)
    }
    do {
      _ = try schema.migrate(database)
    } catch {
      throw .unsuitable(error)
    }
    let snapshot = try CatalogLoader(database: database).load()
    self.folder = folder
    current = Mutex(snapshot)
    currentVersion = Atomic(snapshot.version)
    writer = Mutex(CatalogRows(database: database))
  }

  /// A store that shows one snapshot and takes no changes.
  public init(frozen snapshot: CatalogSnapshot) {
    folder = nil
    current = Mutex(snapshot)
    currentVersion = Atomic(snapshot.version)
    writer = Mutex(nil)
  }

  /// Reads the catalog of a database that another process may be serving, without taking or changing anything.
  ///
  /// - Parameter isChecked: whether the whole file is to be read first, to see that it agrees with itself.
  public static func read(
    databaseAt path: String, checking isChecked: Bool = false
  ) throws(CatalogStoreError) -> CatalogSnapshot {
    let database: Database
    do {
      database = try reader(of: path)
      if isChecked { try database.checkIntegrity() }
    } catch {
      throw .failed(error)
    }
    do {
      try CatalogSchema.current.check(database)
    } catch {
      throw .unsuitable(error)
    }
    return try CatalogLoader(database: database).load()
  }

  /// A connection that only reads; but where a writer was killed in the middle, what it left must be rolled back first, which
  /// SQLite does for a connection that may write, and only when nobody is writing.
  static func reader(of path: String) throws(SQLiteError) -> Database {
    do {
      return try Database(path: path, mode: .readOnly)
    } catch {
      guard error.kind == .readOnly else { throw error }
      return try Database(path: path, mode: .readWrite, journal: .truncate)
    }
  }

  // MARK: Reading

  /// The catalog as it is now. Keep it for the length of one answer, so that the answer agrees with itself.
  public var snapshot: CatalogSnapshot { current.withLock { $0 } }

  /// The current snapshot's version, without a lock: enough to see whether an answer made before is still right.
  public var version: Int64 { currentVersion.load(ordering: .acquiring) }

  // MARK: Writing

  /// Makes the shop look like a whole catalog, in one transaction.
  ///
  /// Ids survive, and with them `createdAt`; `updatedAt` moves only where the product itself changed. A catalog that changes
  /// nothing makes no new version.
  ///
  /// - Parameters:
  ///   - missing: what becomes of products that the catalog lacks.
  ///   - now: the time that is noted, in seconds since 1970, UTC.
  public func `import`(
    _ catalog: SeedCatalog, missing: MissingProducts = .hide, now: Int64 = CatalogStore.now
  ) throws(CatalogStoreError) -> ImportSummary {
    try write { (rows) throws(SQLiteError) in
      let base = snapshot
      let plan = ImportPlan(catalog, over: base, missing: missing)
      guard plan.summary.hasChanges else { return plan.summary }
      let (version, time) = (base.version + 1, max(now, base.publishedAt))
      let known = try PictureTable(database: rows.database).pictures(plan.newReferences)
      try rows.database.transaction { () throws(SQLiteError) in
        try rows.carryOut(plan, now: now)
        try rows.publish(version: version, at: time)
      }
      publish(plan.snapshot(version: version, publishedAt: time, now: now, known: known))
      return plan.summary
    }
  }

  /// What importing a catalog would do, without doing it.
  public func preview(_ catalog: SeedCatalog, missing: MissingProducts = .hide) -> ImportSummary {
    ImportPlan(catalog, over: snapshot, missing: missing).summary
  }

  /// Takes in what was heard of pictures, all of it in one transaction and one version: the only way in which a picture's
  /// state changes. News of pictures that the catalog does not refer to is dropped.
  ///
  /// - Returns: the new snapshot, or nil when nothing changed.
  @discardableResult
  public func note(
    pictureNews: [PictureNews], now: Int64 = CatalogStore.now
  ) throws(CatalogStoreError) -> CatalogSnapshot? {
    try write { (rows) throws(SQLiteError) in
      let base = snapshot
      let changes = PictureChanges(pictureNews, over: base)
      guard !changes.isEmpty else { return nil }
      let (version, time) = (base.version + 1, max(now, base.publishedAt))
      try rows.database.transaction { () throws(SQLiteError) in
        try PictureTable(database: rows.database).put(changes.pictures)
        try rows.publish(version: version, at: time)
      }
      let snapshot = changes.snapshot(version: version, publishedAt: time)
      publish(snapshot)
      return snapshot
    }
  }

  /// Copies the database, as it is at this moment, into a new file.
  public func backUp(to path: String) throws(CatalogStoreError) {
    try write { (rows) throws(SQLiteError) in try rows.database.backup(to: path) }
  }

  /// Seconds since 1970, UTC.
  public static var now: Int64 { Int64(Date().timeIntervalSince1970) }

  /// Runs `work` as the one who writes.
  func write<Value: Sendable>(
    _ work: (borrowing CatalogRows) throws(SQLiteError) -> Value
  ) throws(CatalogStoreError) -> Value {
    do {
      return try writer.withLock { (rows) throws(SQLiteError) in
        guard let rows else { throw SQLiteError.notOpenForWriting }
        return try work(rows)
      }
    } catch {
      throw .failed(error)
    }
  }

  /// Shows a snapshot to everyone.
  func publish(_ snapshot: CatalogSnapshot) {
    current.withLock { $0 = snapshot }
    currentVersion.store(snapshot.version, ordering: .releasing)
  }
}

extension CatalogRows {
  /// Writes what a plan changes. Sections come before the products that stand in them, and go after those.
  func carryOut(_ plan: ImportPlan, now: Int64) throws(SQLiteError) {
    let (records, moves) = plan.writes(at: now)
    try put(plan.catalog.shop)
    try put(plan.sections)
    try put(records)
    try move(moves)
    try delete(plan.deletedProducts)
    try delete(plan.deletedSections)
    if plan.base.layout.collections != plan.catalog.collections || !plan.deletedProducts.isEmpty {
      try replace(plan.catalog.collections)
    }
  }
}
