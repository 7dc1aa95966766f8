import Catalog

/// Why a backup could not be made, found good, or restored.
public enum BackupError: Error, Sendable, CustomStringConvertible {
  /// A file or folder could not be read or written.
  case file(path: String, reason: String)
  /// There is no backup of ours at that path.
  case notABackup(path: String)
  /// A newer program made it.
  case newer(path: String, layout: Int)
  /// A file of the backup is missing, or not what it was when the backup was made.
  case damaged(path: String, file: String, reason: String)
  /// The database in it cannot be used.
  case unusable(path: String, CatalogStoreError)
  /// The shop's own database failed.
  case store(CatalogStoreError)

  /// One sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .file(let path, let reason):
      "\(path): \(reason); make room or permit writing there, or choose another folder"
    case .notABackup(let path):
      "\(path) is no backup: name a folder that `banchan backup` made (`banchan backup --list` shows them)"
    case .newer(let path, let layout):
      "\(path) was made by a newer version (layout \(layout)): restore it with that version"
    case .damaged(let path, let file, let reason):
      "the backup \(path) is damaged at \(file) (\(reason)): nothing was changed; take another one"
    case .unusable(let path, let error):
      "the backup \(path) cannot be restored, and nothing was changed: \(error)"
    case .store(let error): error.description
    }
  }
}
