import Glibc
import SQLite

extension CacheIndex {
  /// Brings rows and files of the bodies whose digests begin with a byte into step: after a power cut, or somebody's hand in
  /// the folder, there may be files that no row knows, and rows that have no file. Files of other names are left alone.
  ///
  /// Holds the index for the time that listing one folder of 256 takes, and then for each row that goes.
  ///
  /// - Returns: how many of each were removed.
  func sweep(_ prefix: UInt8, in folder: CacheFolder) throws(SQLiteError) -> (files: Int, rows: Int) {
    let path = folder.objectFolder(prefix)
    let (orphans, missing) = try changing { connection throws(SQLiteError) -> (Int, [StoredBody]) in
      let names: Set<String>
      do throws(FileError) {
        names = Set(try FileCalls.names(in: path))
      } catch {
        guard error.code == ENOENT else { return (0, []) }
        names = []
      }
      let bodies = try connection.bodies.all(prefix)
      let known = Set(bodies.map(\.digest.hex))
      let orphans = names.filter { !known.contains($0) && Digest(hex: $0.utf8) != nil }
      for name in orphans { FileCalls.remove("\(path)/\(name)") }
      return (orphans.count, bodies.filter { !names.contains($0.digest.hex) })
    }
    for body in missing { try dropIfMissing(body, from: folder) }
    return (orphans, missing.count)
  }

  /// Drops a body whose file is still not there, unless it is just coming.
  private func dropIfMissing(_ body: StoredBody, from folder: CacheFolder) throws(SQLiteError) {
    try changing { connection throws(SQLiteError) in
      guard !isHeld(body.digest), access(folder.objectPath(body.digest), F_OK) != 0 else { return }
      try connection.drop(body, removal(in: folder))
    }
  }
}
