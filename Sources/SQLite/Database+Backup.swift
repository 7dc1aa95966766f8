import CSQLite
import Glibc

extension Database {
  /// Copies the whole database, as it is at this moment, into a new file (https://www.sqlite.org/backup.html).
  ///
  /// The copy is complete and on the disk before it bears its name, so a backup that can be seen is a whole one. It takes
  /// as long as the file is large; other connections may read meanwhile.
  ///
  /// - Parameter destination: a path in an existing folder. A file that is there already is refused, never overwritten.
  public func backup(to destination: String) throws(SQLiteError) {
    guard access(destination, F_OK) != 0 else {
      throw SQLiteError(
        extendedCode: SQLITE_CANTOPEN, message: "a file of this name is there already", path: destination)
    }
    let partial = destination + ".partial"
    unlink(partial)
    do {
      try copy(to: partial)
      try Self.rename(partial, to: destination)
    } catch {
      unlink(partial)
      throw error
    }
  }

  /// Replaces everything in this database by what another one holds, in one transaction: whoever reads sees all of the old
  /// or all of the new, also after a crash in the middle.
  ///
  /// No statement of this connection may be in the middle of its rows.
  public func replaceContents(with source: Database) throws(SQLiteError) {
    try Self.copy(source, into: self)
  }

  /// `path`, or when something of that name is there, the first of `path-2`, `path-3` … that is not.
  public static func unusedPath(_ path: String) -> String {
    var candidate = path
    var number = 1
    while access(candidate, F_OK) == 0 {
      number += 1
      candidate = "\(path)-\(number)"
    }
    return candidate
  }

  private func copy(to path: String) throws(SQLiteError) {
    // One transaction writes everything: no journal is needed, as a copy that fails is thrown away.
    let copy = try Database(path: path, mode: .create, journal: .memory, synchronous: .full)
    try Self.copy(self, into: copy)
  }

  private static func copy(_ source: Database, into destination: Database) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
      throw SQLiteError(handle: destination.handle, path: destination.path)
    }
    let stepped = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE, finished == SQLITE_OK else {
      let result = finished == SQLITE_OK ? stepped : finished
      throw SQLiteError(extendedCode: result, message: String(cString: sqlite3_errstr(result)), path: destination.path)
    }
  }

  /// Renames a file, and makes the folder remember it.
  public static func rename(_ path: String, to destination: String) throws(SQLiteError) {
    guard Glibc.rename(path, destination) == 0 else {
      let reason = String(cString: strerror(errno))
      throw SQLiteError(
        extendedCode: SQLITE_IOERR, message: "\(path) cannot be given this name: \(reason)", path: destination)
    }
    let folder = destination.lastIndex(of: "/").map { String(destination[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
