import Catalog
import FoundationEssentials
import Glibc
import Images

/// A backup that was made: a folder with the shop's database, the pictures that were uploaded to it, and a manifest.
///
/// It can be copied elsewhere as any folder can. What the cache holds is not in it: that can be fetched again.
public struct Backup: Sendable {
  /// Its folder.
  public let path: String
  /// What it says of itself.
  public let manifest: BackupManifest

  /// The folder's last component.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  static let databaseName = CatalogStore.fileName
  /// What the shop keeps beside its database, as folders of files that never change.
  static let keptFolders = ["uploads"]

  /// Reads the manifest of a backup.
  public init(at path: String) throws(BackupError) {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    guard let bytes = FileManager.default.contents(atPath: "\(path)/\(BackupManifest.fileName)"), bytes.count < 1 << 28
    else { throw .notABackup(path: path) }
    manifest = try BackupManifest(parsing: Array(bytes), of: path)
    self.path = path
  }

  /// Reads all of it, and tries it out: every file must be what it was when it was written, the database whole and one that
  /// this program can use.
  ///
  /// - Parameter scratch: a folder for a copy of the database, which is gone afterwards; the backup itself is never opened for
  ///   writing.
  public func verify(scratch: String) throws(BackupError) {
    try withDatabaseCopy(in: scratch) { (_) throws(BackupError) in }
  }

  /// Gives `work` a copy of the database that was checked and brought up to date.
  func withDatabaseCopy<Value>(
    in scratch: String, _ work: (String) throws(BackupError) -> Value
  ) throws(BackupError) -> Value {
    try BackupFiles.makeFolder(scratch)
    let copy = "\(scratch)/restoring-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).db"
    defer {
      unlink(copy)
      unlink("\(copy)-journal")
    }
    guard manifest.files.contains(where: { $0.path == Self.databaseName }) else { throw .notABackup(path: path) }
    for file in manifest.files {
      let isDatabase = file.path == Self.databaseName
      let found: (bytes: Int64, digest: Digest)
      do throws(BackupError) {
        found = try BackupFiles.copy("\(path)/\(file.path)", to: isDatabase ? copy : nil)
      } catch {
        guard case .file(let failed, let reason) = error, failed != copy else { throw error }
        throw .damaged(path: path, file: file.path, reason: reason)
      }
      guard found.bytes == file.bytes, found.digest == file.digest else {
        throw .damaged(path: path, file: file.path, reason: "its bytes are not those that were written")
      }
    }
    do throws(CatalogStoreError) { _ = try CatalogStore.examine(copyAt: copy) } catch {
      throw .unusable(path: path, error)
    }
    return try work(copy)
  }
}
