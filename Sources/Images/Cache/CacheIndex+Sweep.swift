import Glibc
import SQLite

extension CacheIndex {
  /// Brings rows and files of the bodies whose digests begin with a byte into step: after a power cut, or somebody's hand in
  /// the folder, there may be files that no row knows, and rows that have no file. Files of other names are left alone.
  ///
  /// Holds the index for the time that listing one folder of 256 takes.
  ///
  /// - Returns: how many of each were removed.
  func sweep(_ prefix: UInt8, in folder: CacheFolder) throws(SQLiteError) -> (files: Int, rows: Int) {
    try changing { connection throws(SQLiteError) in
      let names: Set<String>
      let path = folder.objectFolder(prefix)
      do throws(FileError) {
        names = Set(try FileCalls.names(in: path))
      } catch {
        guard error.code == ENOENT else { return (0, 0) }
        names = []
      }
      let bodies = try connection.bodies.all(prefix)
      let known = Set(bodies.map(\.digest.hex))
      let orphans = names.filter { !known.contains($0) && Digest(hex: $0.utf8) != nil }
      for name in orphans { FileCalls.remove("\(path)/\(name)") }
      let missing = bodies.filter { !names.contains($0.digest.hex) && !isHeld($0.digest) }
      for body in missing { try connection.drop(body, removal(in: folder)) }
      return (orphans.count, missing.count)
    }
  }
}
