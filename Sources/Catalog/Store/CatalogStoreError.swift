import SQLite

/// Why the shop's database cannot be opened, read or written.
public enum CatalogStoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not ours, newer than this program, or could not be upgraded.
  case unsuitable(MigrationError)
  /// SQLite could not do it; nothing was changed.
  case failed(SQLiteError)
  /// A row holds what no program of ours writes.
  case damaged(path: String, row: String)

  /// Whether the file itself is to blame, so that a good one in its place would do.
  public var isOfTheFile: Bool {
    switch self {
    case .damaged: true
    case .unsuitable(let error):
      switch error {
      case .otherApplication, .newerVersion, .stepFailed: true
      case .unreadable(let error): error.kind == .corrupt || error.kind == .notADatabase
      case .olderVersion, .backupFailed: false
      }
    case .failed(let error): error.kind == .corrupt || error.kind == .notADatabase
    }
  }

  /// One sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .unsuitable(let error):
      error.description
    case .damaged(let path, let row):
      "The database \(path) is damaged at \(row): restore a backup."
    case .failed(let error):
      switch error.kind {
      case .busy: "The database \(error.path) is locked by another program: close that one. (\(error))"
      case .full: "The disk of \(error.path) is full and nothing was changed: make room. (\(error))"
      case .readOnly: "The database \(error.path) cannot be written to: permit writing to it. (\(error))"
      case .cannotOpen: "The database \(error.path) cannot be opened: check that its folder is there. (\(error))"
      case .notADatabase: "The file \(error.path) is no database: move it away, or choose another folder. (\(error))"
      case .corrupt: "The database \(error.path) is damaged: restore a backup. (\(error))"
      case .inputOutput, .constraint, .other: "The database failed and nothing was changed. (\(error))"
      }
    }
  }
}
