import CSQLite

/// One connection to one SQLite file.
///
/// A connection and its statements belong to one thread at a time: neither is `Sendable`, so the compiler keeps them inside
/// whatever lock or thread owns them, and SQLite's own locking is switched off. The connection closes when it and the last
/// of its statements are gone.
///
/// ```swift
/// let database = try Database(path: "data/banchan.db", mode: .create)
/// try database.transaction { () throws(SQLiteError) in
///   try database.run("INSERT INTO section (id, name) VALUES (?, ?)", "soup", "국・찌개")
/// }
/// ```
public final class Database {
  /// What a connection may do with the file.
  public enum Mode: Sendable {
    /// Reads only; the file must exist.
    case readOnly
    /// Reads and writes; the file must exist.
    case readWrite
    /// Reads and writes; the file is made when it does not exist.
    case create
  }

  /// How a rollback journal ends after a commit (https://www.sqlite.org/pragma.html#pragma_journal_mode).
  ///
  /// There is no WAL here: SQLite 3.40 has the WAL-reset bug.
  public enum Journal: String, Sendable {
    /// The journal file is deleted: the folder's entry changes with each commit.
    case delete
    /// The journal file stays, cut to nothing: one directory write less per commit.
    case truncate
    /// The journal lives in memory: a crash in the middle of a commit damages the file. For what can be made again.
    case memory
  }

  /// How much SQLite waits for the disk (https://www.sqlite.org/pragma.html#pragma_synchronous).
  public enum Synchronous: Int32, Sendable {
    /// Never: a power cut may damage the file. For what can be made again.
    case off = 0
    /// At the critical moments: a power cut may lose the last commits.
    case normal = 1
    /// At each commit: what was committed is there after a power cut.
    case full = 2
  }

  /// The path the connection was opened with.
  public let path: String
  let handle: OpaquePointer

  /// Opens a database file.
  ///
  /// Foreign keys are enforced, extended result codes are on, and the file is closed to schema tricks.
  ///
  /// - Parameters:
  ///   - path: the file; `:memory:` is a database of its own in memory.
  ///   - mode: what may be done with it. A file that can only be read is refused when writing was asked for.
  ///   - busyTimeout: milliseconds to wait for another connection's lock before failing with `Kind.busy`.
  ///   - journal: how commits end; without meaning when reading only.
  ///   - synchronous: how much to wait for the disk.
  ///   - cache: KiB of pages that the connection may keep in memory.
  public init(
    path: String, mode: Mode, busyTimeout: Int32 = 5_000, journal: Journal = .delete, synchronous: Synchronous = .full,
    cache: Int32 = 2_000
  ) throws(SQLiteError) {
    let flags =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else {
      throw SQLiteError(extendedCode: result, message: String(cString: sqlite3_errstr(result)), path: path)
    }
    handle = opened
    self.path = path
    // From here on deinit closes the handle, also when this initialiser throws.
    guard result == SQLITE_OK, csqlite_harden(opened) == SQLITE_OK else {
      throw SQLiteError(handle: opened, path: path)
    }
    guard mode == .readOnly || sqlite3_db_readonly(opened, "main") == 0 else {
      throw SQLiteError(extendedCode: SQLITE_READONLY, message: "the file may only be read", path: path)
    }
    sqlite3_busy_timeout(opened, busyTimeout)
    try execute(
      "PRAGMA foreign_keys = ON; PRAGMA synchronous = \(synchronous.rawValue); PRAGMA cache_size = -\(max(1, cache))")
    if mode != .readOnly { try execute("PRAGMA journal_mode = \(journal.rawValue)") }
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs one or more statements that take no values and whose rows, if any, do not matter.
  public func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteError(handle: handle, sql: sql, path: path)
    }
  }

  /// Compiles one statement, to be run as often as needed.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, of: self)
  }

  /// Compiles, binds and runs one statement whose rows, if any, do not matter.
  public func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
    try prepare(sql).run(values)
  }

  /// The integer in the first column of the first row of a query, or nil when there is no row.
  public func integer(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The rows that the last INSERT, UPDATE or DELETE touched.
  public var changes: Int64 { sqlite3_changes64(handle) }

  /// The rowid of the last row inserted by this connection.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }
}
