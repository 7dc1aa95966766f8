import Glibc
import SQLite
import Synchronization

/// What is known of each source and each derived picture, in a SQLite database beside the bodies.
///
/// Starting opens a file and reads nothing else, so it takes as long with a million sources as with ten. The database is
/// synced by nobody: a crash of this process leaves it whole, a power cut may not, and then it is made anew and pictures
/// are fetched again.
///
/// Its calls block for some microseconds: they are for blocking threads.
final class CacheIndex: Sendable {
  private let path: String
  private let connection: Mutex<IndexConnection>
  private let log: @Sendable (String) -> Void

  init(path: String, log: @escaping @Sendable (String) -> Void) throws(SQLiteError) {
    self.path = path
    self.log = log
    connection = Mutex(try Self.open(path, log: log))
  }

  /// What is known of a source; nil when nothing is.
  func record(of key: SourceKey) throws(SQLiteError) -> SourceRecord? {
    try repairing { connection throws(SQLiteError) in try connection.find(key) }
  }

  /// The body that was derived; nil when there is none.
  func body(of key: DerivedKey) throws(SQLiteError) -> StoredBody? {
    try repairing { connection throws(SQLiteError) in try connection.find(key) }
  }

  /// Notes a body before its file gets its name, so that no crash leaves a file that nobody counts.
  func admit(_ digest: Digest, bytes: Int) throws(SQLiteError) {
    try repairing { connection throws(SQLiteError) in try connection.admit(digest, bytes: bytes) }
  }

  /// Notes what is known of a source now, once its body is in its place.
  ///
  /// - Returns: false when the body was never admitted, or is gone again; then nothing was noted.
  @discardableResult
  func store(_ record: SourceRecord) throws(SQLiteError) -> Bool {
    try repairing { connection throws(SQLiteError) in try connection.store(record) }
  }

  /// Notes that a body is what was derived; the same in all else.
  @discardableResult
  func store(_ digest: Digest, as key: DerivedKey) throws(SQLiteError) -> Bool {
    try repairing { connection throws(SQLiteError) in try connection.store(digest, as: key) }
  }

  /// Forgets a source whose body turned out to be missing or damaged.
  func forget(_ key: SourceKey) throws(SQLiteError) {
    try repairing { connection throws(SQLiteError) in try connection.forget(key) }
  }

  /// Forgets a derived picture whose body turned out to be missing or damaged.
  func forget(_ key: DerivedKey) throws(SQLiteError) {
    try repairing { connection throws(SQLiteError) in try connection.forget(key) }
  }

  /// How much of a rank is stored. Known without looking at the disk or adding anything up.
  func total(of rank: BodyRank) throws(SQLiteError) -> BodyTotal {
    try repairing { connection throws(SQLiteError) in try connection.total(of: rank) }
  }

  /// Runs `work`, and once more on a new database when the old one turns out to be damaged or gone.
  private func repairing<Value: Sendable>(
    _ work: (IndexConnection) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    try connection.withLock { connection throws(SQLiteError) in
      do throws(SQLiteError) {
        return try work(connection)
      } catch {
        guard error.isDamage else { throw error }
        let renewed = try Self.renew(path, after: error, log: log)
        connection = renewed
        return try work(connection)
      }
    }
  }

  private static func open(
    _ path: String, log: @Sendable (String) -> Void
  ) throws(SQLiteError) -> IndexConnection {
    do throws(SQLiteError) {
      return try IndexConnection(path: path)
    } catch {
      guard error.isDamage else { throw error }
      return try renew(path, after: error, log: log)
    }
  }

  private static func renew(
    _ path: String, after error: SQLiteError, log: @Sendable (String) -> Void
  ) throws(SQLiteError) -> IndexConnection {
    log("images: the cache index is damaged and is made anew; pictures are fetched again (\(error))")
    FileCalls.remove(path)
    FileCalls.remove("\(path)-journal")
    // The whole folder may have been deleted under a running server.
    if let slash = path.lastIndex(of: "/") { try? FileCalls.makeFolders(String(path[..<slash])) }
    return try IndexConnection(path: path)
  }
}

extension SQLiteError {
  /// Whether a new file would do better: this one is damaged, another program's, or was deleted under us.
  fileprivate var isDamage: Bool {
    kind == .corrupt || kind == .notADatabase || kind == .cannotOpen || extendedCode == readOnlyMoved
  }
}

/// SQLITE_READONLY_DBMOVED: the file that is open is no longer the one of this name.
private let readOnlyMoved: Int32 = 1032
