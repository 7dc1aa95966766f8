import CSQLite

/// What SQLite said when it could not do something, with everything needed to understand it from a log line.
///
/// The codes are those of https://www.sqlite.org/rescode.html.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The primary result code, such as `SQLITE_CONSTRAINT` (19).
  public var code: Int32 { extendedCode & 0xFF }
  /// The extended result code, such as `SQLITE_CONSTRAINT_UNIQUE` (2067).
  public let extendedCode: Int32
  /// SQLite's own words.
  public let message: String
  /// The statement it was about, if it was about one.
  public let sql: String?
  /// The database file.
  public let path: String

  /// An error as SQLite reports it; `extendedCode` may also be a primary code.
  public init(extendedCode: Int32, message: String, sql: String? = nil, path: String) {
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
    self.path = path
  }

  init(handle: OpaquePointer, sql: String? = nil, path: String) {
    self.init(
      extendedCode: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), sql: sql,
      path: path)
  }

  /// The database was not opened for writing.
  public static let notOpenForWriting = SQLiteError(
    extendedCode: SQLITE_READONLY, message: "this catalog is only read", path: "memory")

  /// One line for a person: code, words, file, statement.
  public var description: String {
    let statement = sql.map { ", in: \($0)" } ?? ""
    return "SQLite error \(code) (\(extendedCode)) on \(path): \(message)\(statement)"
  }
}

extension SQLiteError {
  /// The kinds of failure that a caller can do something about.
  public enum Kind: Equatable, Sendable {
    /// Another connection holds the lock longer than the busy timeout.
    case busy
    /// The disk or quota is full.
    case full
    /// The file or its folder may not be written.
    case readOnly
    /// The file cannot be opened: missing, not a file, or its folder is out of reach.
    case cannotOpen
    /// The file is no SQLite database.
    case notADatabase
    /// The file is damaged.
    case corrupt
    /// Reading or writing failed below SQLite.
    case inputOutput
    /// A CHECK, UNIQUE, NOT NULL or foreign key said no.
    case constraint
    /// Anything else, among them misuse and syntax errors.
    case other
  }

  /// What kind of failure this is.
  public var kind: Kind {
    switch code {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_IOERR: .inputOutput
    case SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }
}
