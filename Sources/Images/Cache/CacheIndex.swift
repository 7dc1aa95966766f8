import Glibc
import SQLite
import Synchronization

/// What is known of each source and each derived picture, in a SQLite database beside the bodies.
///
/// Starting opens a file and reads nothing else, so it takes as long with a million sources as with ten. The database is
/// synced by nobody: a crash of this process leaves it whole, a power cut may not, and then it is made anew and pictures
/// are fetched again.
///
/// Its calls block for some microseconds: they are for blocking threads. What changes it is told to the budget before the
/// lock is given up.
final class CacheIndex: Sendable {
  private let path: String
  private let connection: Mutex<IndexConnection>
  private let budget: DiskBudget
  private let marks: VisitMarks
  private let onNewIndex: @Sendable () -> Void
  private let log: @Sendable (String) -> Void

  /// - Parameter onNewIndex: called when the index is made, or made anew, and so knows no body that stands on the disk.
  init(
    path: String, budget: DiskBudget = DiskBudget(), marks: VisitMarks = VisitMarks(),
    onNewIndex: @escaping @Sendable () -> Void = {}, log: @escaping @Sendable (String) -> Void
  ) throws(SQLiteError) {
    self.path = path
    self.budget = budget
    self.marks = marks
    self.log = log
    self.onNewIndex = onNewIndex
    let connection = try Self.open(path, log: log)
    if connection.isNew { onNewIndex() }
    self.connection = Mutex(connection)
    try changing { _ in }
  }

  // MARK: Asking

  /// What is known of a source, and its body; nil when nothing is.
  func find(_ key: SourceKey) throws(SQLiteError) -> (record: SourceRecord, body: StoredBody)? {
    try repairing { connection throws(SQLiteError) in try connection.sources.find(key) }
  }

  /// The body that was derived; nil when there is none.
  func find(_ key: DerivedKey) throws(SQLiteError) -> StoredBody? {
    try repairing { connection throws(SQLiteError) in try connection.derived.find(key) }
  }

  /// How much of a rank is stored. Known without looking at the disk or adding anything up.
  func total(of rank: BodyRank) throws(SQLiteError) -> BodyTotal {
    try repairing { connection throws(SQLiteError) in try connection.bodies.total(of: rank) }
  }

  /// The pinned sources after a key, in the order of keys, so many at most.
  func pinned(after key: SourceKey?, limit: Int) throws(SQLiteError) -> [SourceKey] {
    try repairing { connection throws(SQLiteError) in try connection.sources.pinned(after: key, limit: limit) }
  }

  // MARK: Noting

  /// Notes a body before its file gets its name, so that no crash leaves a file that nobody counts. When it was not known
  /// before, what the budget has set aside for it is counted as stored from now on.
  ///
  /// - Returns: whether it was not known before.
  @discardableResult
  func admit(_ digest: Digest, bytes: Int) throws(SQLiteError) -> Bool {
    try repairing { connection throws(SQLiteError) in
      let id = try connection.admit(digest, bytes: bytes)
      // The number may have been another body's before.
      if let id { marks.clear(id) }
      try tellBudget(connection, admitted: id == nil ? 0 : DiskBudget.diskBytes(bytes))
      return id != nil
    }
  }

  /// Notes what is known of a source now, once its body is in its place.
  ///
  /// - Returns: false when the body was never admitted, or is gone again; then nothing was noted.
  @discardableResult
  func store(_ record: SourceRecord, isPinned: Bool = false) throws(SQLiteError) -> Bool {
    try changing { connection throws(SQLiteError) in try connection.store(record, isPinned: isPinned) }
  }

  /// Notes that a body is what was derived; the same in all else.
  @discardableResult
  func store(_ digest: Digest, as key: DerivedKey) throws(SQLiteError) -> Bool {
    try changing { connection throws(SQLiteError) in try connection.store(digest, as: key) }
  }

  /// Forgets a source; its body stays until room is needed.
  func forget(_ key: SourceKey) throws(SQLiteError) {
    try changing { connection throws(SQLiteError) in try connection.forget(key) }
  }

  /// Forgets a derived picture; its body stays until room is needed.
  func forget(_ key: DerivedKey) throws(SQLiteError) {
    try changing { connection throws(SQLiteError) in try connection.forget(key) }
  }

  /// Pins sources, or lets them go. One transaction: callers bound how many.
  func setPinned(_ isPinned: Bool, _ keys: [SourceKey]) throws(SQLiteError) {
    try changing { connection throws(SQLiteError) in try connection.setPinned(isPinned, keys) }
  }

  // MARK: Removing

  /// Evicts some bodies of a rank, so that so many bytes of the disk become free; bounded work, then call again.
  func evict(_ rank: BodyRank, diskBytes: Int, from folder: CacheFolder) throws(SQLiteError) -> Eviction {
    try changing { connection throws(SQLiteError) in
      try connection.evict(rank, diskBytes: diskBytes, removal(in: folder))
    }
  }

  /// Drops a body that turned out to be missing or damaged, and all that refers to it.
  func drop(_ body: StoredBody, from folder: CacheFolder) throws(SQLiteError) {
    try changing { connection throws(SQLiteError) in try connection.drop(body, removal(in: folder)) }
  }

  func isHeld(_ digest: Digest) -> Bool { budget.isHeld(digest) }

  func removal(in folder: CacheFolder) -> Removal {
    Removal(
      unmark: { [marks] in marks.clear($0) }, isHeld: { [budget] in budget.isHeld($0) },
      unlink: { [budget] body in
        switch FileCalls.remove(folder.objectPath(body.digest)) {
        case .removed: budget.noteUnlinked(body.digest, bytes: body.bytes)
        case .missing: break
        case .failed: return false
        }
        return true
      },
      noteEviction: { [budget] rank in budget.noteEviction(of: rank) })
  }

  // MARK: The connection

  /// Runs what changes the index, and tells the budget.
  func changing<Value: Sendable>(
    _ work: (IndexConnection) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    try repairing { connection throws(SQLiteError) in
      let value = try work(connection)
      try tellBudget(connection)
      return value
    }
  }

  private func tellBudget(_ connection: IndexConnection, admitted: Int = 0) throws(SQLiteError) {
    budget.noteIndex(try connection.bodies.sums(), admitted: admitted)
  }

  /// Runs `work`, and once more on a new database when the old one turns out to be damaged or gone.
  func repairing<Value: Sendable>(
    _ work: (IndexConnection) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    try connection.withLock { connection throws(SQLiteError) in
      do throws(SQLiteError) {
        return try work(connection)
      } catch {
        guard error.isDamage else { throw error }
        let renewed = try Self.renew(path, after: error, log: log)
        connection = renewed
        onNewIndex()
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
