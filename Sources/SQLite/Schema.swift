import CSQLite

/// All steps that lead from an empty file to the schema that this program knows.
///
/// The file's header says whose it is (`application_id`) and how many steps were taken (`user_version`). Steps are only ever
/// added at the end; an old one never changes.
public struct Schema: Sendable {
  /// Four bytes that mark the application's own files.
  public let applicationID: Int32
  /// The steps in order: after the first one the version is 1.
  public let migrations: [Migration]

  /// A schema from its steps.
  public init(applicationID: Int32, migrations: [Migration]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// The version after all steps.
  public var version: Int32 { Int32(clamping: migrations.count) }

  /// What bringing a database up to date did.
  public struct Outcome: Equatable, Sendable {
    /// The version found; 0 in a new file.
    public let from: Int32
    /// The version now.
    public let to: Int32
    /// The copy made before, when there was something to lose.
    public let backup: String?
  }

  /// Brings a database to `version`, all missing steps in one transaction.
  ///
  /// Before a database that holds something is changed, it is copied beside itself, as `banchan.db.v1.backup` (a number
  /// follows when that name is taken).
  ///
  /// - Parameter isCopy: whether the database is a copy already, so that none has to be made.
  /// - Throws: `MigrationError`; the database is then as it was.
  public func migrate(_ database: Database, isCopy: Bool = false) throws(MigrationError) -> Outcome {
    let from = try checkedVersion(of: database)
    guard from < version else { return Outcome(from: from, to: from, backup: nil) }
    let backup = from == 0 || isCopy ? nil : try backUp(database, version: from)
    try takeSteps(on: database)
    return Outcome(from: from, to: version, backup: backup)
  }

  /// What bringing a database up to date would do.
  public struct Plan: Equatable, Sendable {
    /// The version found; 0 in a new file.
    public let from: Int32
    /// The version afterwards.
    public let to: Int32
    /// The steps to be taken, in words.
    public let steps: [String]
    /// Where the copy would stand that is made first; nil when nothing needs one.
    public let backup: String?
  }

  /// Says what ``migrate(_:isCopy:)`` would do, and changes nothing; the database may be open for reading only.
  ///
  /// - Throws: `MigrationError` when it could not be done.
  public func plan(_ database: Database) throws(MigrationError) -> Plan {
    let from = try checkedVersion(of: database)
    let steps = migrations.dropFirst(Int(from)).map(\.name)
    let needsCopy = from > 0 && !steps.isEmpty
    return Plan(
      from: from, to: version, steps: steps, backup: needsCopy ? Self.backupPath(database, version: from) : nil)
  }

  /// Sees whether a database can be read by this program as it is, and changes nothing.
  ///
  /// - Throws: `MigrationError`, also when it is older and would have to be upgraded first.
  public func check(_ database: Database) throws(MigrationError) {
    let found = try checkedVersion(of: database)
    guard found == version else { throw .olderVersion(path: database.path, found: found, known: version) }
  }

  /// The version of a database that is ours, or new.
  private func checkedVersion(of database: Database) throws(MigrationError) -> Int32 {
    let (owner, found, isEmpty): (Int32, Int32, Bool)
    do {
      (owner, found, isEmpty) = (try database.applicationID(), try database.userVersion(), try database.isEmpty())
    } catch {
      throw .unreadable(error)
    }
    let isNew = owner == 0 && found == 0 && isEmpty
    guard owner == applicationID || isNew else { throw .otherApplication(path: database.path, found: owner) }
    guard found <= version else { throw .newerVersion(path: database.path, found: found, known: version) }
    // A negative version is nothing we ever wrote.
    guard found >= 0 else { throw .otherApplication(path: database.path, found: owner) }
    return found
  }

  private func backUp(_ database: Database, version: Int32) throws(MigrationError) -> String {
    let path = Self.backupPath(database, version: version)
    do {
      try database.backup(to: path)
      return path
    } catch {
      throw .backupFailed(path: path, error)
    }
  }

  private static func backupPath(_ database: Database, version: Int32) -> String {
    Database.unusedPath("\(database.path).v\(version).backup")
  }

  private func takeSteps(on database: Database) throws(MigrationError) {
    var step = "begin"
    do {
      // Rebuilding a table drops the old one, which must not cascade; the check before the commit makes up for it
      // (https://www.sqlite.org/lang_altertable.html#otheralter). The switch has no effect inside a transaction.
      try database.execute("PRAGMA foreign_keys = OFF")
      defer { try? database.execute("PRAGMA foreign_keys = ON") }
      try database.transaction { () throws(SQLiteError) in
        try database.setApplicationID(applicationID)
        // Read again under the lock: another process may have taken the steps meanwhile.
        let taken = Int(try database.userVersion())
        for (index, migration) in migrations.enumerated().dropFirst(taken) {
          step = migration.name
          try migration.apply(database)
          try database.setUserVersion(Int32(clamping: index + 1))
        }
        if try database.prepare("PRAGMA foreign_key_check").step() {
          throw SQLiteError(
            extendedCode: SQLITE_CONSTRAINT, message: "a row refers to one that is not there",
            path: database.path)
        }
      }
    } catch {
      throw .stepFailed(name: step, error)
    }
  }
}
