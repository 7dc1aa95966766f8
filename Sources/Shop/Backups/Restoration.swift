import Catalog
import Glibc

/// Puts a shop back to what it was when a backup was made.
///
/// Nothing is touched before the backup has been read whole and tried out, and what is there now is backed up first: a
/// restore can be undone by another one. The database changes in one transaction.
public struct Restoration: Sendable {
  /// What a restore did.
  public struct Outcome: Equatable, Sendable {
    /// The catalog's version from now on.
    public let version: Int64
    /// How many products it has.
    public let products: Int
    /// The backup of what was there before; nil when there was nothing.
    public let previous: String?
    /// The name of the database that could not be used and was put aside; nil when there was none.
    public var setAside: String?
    /// Whether what is on the disk was read again and found to be the same; nil when nobody asked.
    public let isVerified: Bool?
  }

  /// How many backups of what was replaced are kept.
  private static let keptPrevious = 3

  private let backup: Backup
  private let program: String

  /// The restore of a backup.
  ///
  /// - Parameter program: the version that does it, for the backup of what is there now.
  public init(of backup: Backup, program: String) {
    self.backup = backup
    self.program = program
  }

  /// Restores into an open shop; blocks.
  ///
  /// - Parameter verifies: whether to read everything again from the disk afterwards.
  public func carryOut(in store: CatalogStore, verifies: Bool) throws(BackupError) -> Outcome {
    guard let data = store.folder else { throw .store(.failed(.notOpenForWriting)) }
    return try backup.withDatabaseCopy(in: data.path) { (copy) throws(BackupError) in
      let previous = try keepPrevious(of: store, in: data.path)
      // Before the database that refers to them; files never change, so one that is there is the right one.
      try copyKeptFolders(into: data.path)
      do throws(CatalogStoreError) {
        let snapshot = try store.restore(copyAt: copy)
        return Outcome(
          version: snapshot.version, products: snapshot.productCount, previous: previous?.name,
          isVerified: verifies ? try store.verify() : nil)
      } catch {
        throw .store(error)
      }
    }
  }

  /// Restores into a folder; blocks. A database that cannot be used, because it is damaged, none at all, or of a newer program,
  /// is kept under another name.
  public func carryOut(in data: DataFolder, verifies: Bool) throws(BackupError) -> Outcome {
    let store: CatalogStore
    do throws(CatalogStoreError) {
      store = try CatalogStore(in: data)
    } catch {
      guard error.isOfTheFile else { throw .store(error) }
      return try replaceDatabase(in: data, verifies: verifies)
    }
    return try carryOut(in: store, verifies: verifies)
  }

  private func replaceDatabase(in data: DataFolder, verifies: Bool) throws(BackupError) -> Outcome {
    try backup.withDatabaseCopy(in: data.path) { (copy) throws(BackupError) in
      try copyKeptFolders(into: data.path)
      do throws(CatalogStoreError) {
        let aside = try CatalogStore.replaceUnusable(in: data, by: copy)
        let store = try CatalogStore(in: data)
        return Outcome(
          version: store.version, products: store.snapshot.productCount, previous: nil, setAside: aside,
          isVerified: verifies ? try store.verify() : nil)
      } catch {
        throw .store(error)
      }
    }
  }

  private func keepPrevious(of store: CatalogStore, in data: String) throws(BackupError) -> Backup? {
    // A shop that nobody ever filled has nothing to lose.
    guard store.version > 0 else { return nil }
    let shelf = BackupShelf("\(data)/\(BackupShelf.folderName)")
    let previous = try shelf.add(store, .beforeRestore, program: program)
    // One too many is no reason to leave the shop as it is.
    _ = try? shelf.rotate(.beforeRestore, keeping: Self.keptPrevious)
    return previous
  }

  private func copyKeptFolders(into data: String) throws(BackupError) {
    for file in backup.manifest.files where file.path != Backup.databaseName {
      let destination = "\(data)/\(file.path)"
      guard access(destination, F_OK) != 0 else { continue }
      let folder = destination.lastIndex(of: "/").map { String(destination[..<$0]) } ?? data
      try BackupFiles.makeFolder(folder)
      let partial = "\(destination).\(getpid()).partial"
      unlink(partial)
      _ = try BackupFiles.copy("\(backup.path)/\(file.path)", to: partial)
      try BackupFiles.publish(partial, as: destination)
    }
  }
}
