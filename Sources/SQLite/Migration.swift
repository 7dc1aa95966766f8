/// One step from a version of a schema to the next.
public struct Migration: Sendable {
  /// What the step does, in a few words, for messages: "products and sections".
  public let name: String
  /// Changes the schema. It runs inside a transaction, and opens none itself.
  public let apply: @Sendable (Database) throws(SQLiteError) -> Void

  /// A step with its name.
  public init(_ name: String, apply: @escaping @Sendable (Database) throws(SQLiteError) -> Void) {
    self.name = name
    self.apply = apply
  }
}

/// Why a database could not be brought to the version that this program knows.
public enum MigrationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file belongs to another application, or to nobody and is not empty.
  case otherApplication(path: String, found: Int32)
  /// A newer program wrote the file.
  case newerVersion(path: String, found: Int32, known: Int32)
  /// An older program wrote the file, and it was opened for reading only.
  case olderVersion(path: String, found: Int32, known: Int32)
  /// The copy that must come first could not be made; nothing was changed.
  case backupFailed(path: String, SQLiteError)
  /// A step failed; the file is as it was.
  case stepFailed(name: String, SQLiteError)
  /// The file could not be read or locked.
  case unreadable(SQLiteError)

  /// One sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .otherApplication(let path, let found):
      "\(path) is another application's database (application id \(found)): choose another folder, or move the file away."
    case .newerVersion(let path, let found, let known):
      "\(path) was written by a newer version (schema \(found), this program knows \(known)): use that version, or "
        + "restore the backup that was made before the upgrade."
    case .olderVersion(let path, let found, let known):
      "\(path) was written by an older version (schema \(found), this program knows \(known)): start the server once, "
        + "which upgrades it."
    case .backupFailed(let path, let error):
      "No backup could be written to \(path), so the database was not upgraded: make room or permit writing there. (\(error))"
    case .stepFailed(let name, let error):
      "The upgrade step “\(name)” failed and nothing was changed. (\(error))"
    case .unreadable(let error):
      "The database cannot be read. (\(error))"
    }
  }
}
