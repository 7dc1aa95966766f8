import Catalog
import CLinux
import FoundationEssentials
import Glibc
import Net
import Text

/// A folder of backups: it makes them, lists them, and throws the oldest away.
///
///     data/backups/banchan-20261130T221500Z/          manifest.json, banchan.db, uploads/
///     data/backups/before-restore-20261201T090000Z/   what a restore replaced
///
/// A backup that can be seen is a whole one. Other things in the folder are left alone.
public struct BackupShelf: Sendable {
  /// Why a backup is made.
  public enum Occasion: String, Sendable, CaseIterable {
    /// Somebody asked for it.
    case requested = "banchan"
    /// A restore is about to replace what is there.
    case beforeRestore = "before-restore"
  }

  /// The folder's name in a data folder.
  public static let folderName = "backups"
  /// How many backups are kept when nobody says how many.
  public static let standardCount = 7

  /// The folder.
  public let path: String

  /// A shelf in a folder, which is made with the first backup.
  public init(_ path: String) { self.path = path }

  /// All backups, the oldest first. What cannot be read is not among them.
  public var backups: [Backup] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { name in Self.occasion(of: name) == nil ? nil : try? Backup(at: "\(path)/\(name)") }
      .sorted { ($0.manifest.createdAt, $0.name) < ($1.manifest.createdAt, $1.name) }
  }

  /// Copies the shop as it is at this moment, and tries the copy out before it gets its name.
  ///
  /// - Parameters:
  ///   - store: the shop, which goes on meanwhile; what is written waits for the copy of the database.
  ///   - program: the version that makes it.
  public func add(
    _ store: CatalogStore, _ occasion: Occasion = .requested, program: String, now: Int64 = CatalogStore.now
  ) throws(BackupError) -> Backup {
    guard let data = store.folder else { throw .store(.failed(.notOpenForWriting)) }
    try BackupFiles.makeFolder(path)
    removeUnfinished()
    let partial = "\(path)/.\(occasion.rawValue)-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).partial"
    try BackupFiles.makeFolder(partial)
    // Held while it is being written, so that nobody takes it for a leftover.
    let lock = clinux_open(partial, O_RDONLY | O_DIRECTORY, 0)
    defer {
      if lock >= 0 {
        clinux_unlock(lock)
        clinux_close(lock)
      }
    }
    guard lock >= 0, clinux_lock_exclusive(lock) >= 0 else { throw .file(path: partial, reason: "it cannot be locked") }
    do throws(BackupError) {
      let manifest = try fill(partial, from: store, data.path, program: program, now: now)
      try BackupFiles.write(manifest.json, to: "\(partial)/\(BackupManifest.fileName)")
      try Backup(at: partial).verify(scratch: data.path)
      let destination = unusedName(occasion, at: now)
      try BackupFiles.publish(partial, as: destination)
      return try Backup(at: destination)
    } catch {
      BackupFiles.remove(partial)
      throw error
    }
  }

  /// Removes the oldest backups of an occasion until so many are left.
  ///
  /// - Returns: the names of those that are gone.
  /// - Throws: `BackupError.file` when one cannot be removed; it is still there then, and whole.
  public func rotate(_ occasion: Occasion = .requested, keeping count: Int) throws(BackupError) -> [String] {
    let candidates = backups.filter { Self.occasion(of: $0.name) == occasion }
    let old = candidates.dropLast(max(1, count))
    for backup in old {
      // Out of sight first: what is half removed must not look like a backup.
      let hidden = "\(path)/.\(backup.name).partial"
      guard rename(backup.path, hidden) == 0 else {
        throw .file(
          path: backup.path, reason: "it is too old to be kept, and cannot be removed: \(systemMessage(errno))")
      }
      BackupFiles.remove(hidden)
    }
    return old.map(\.name)
  }

  private func fill(
    _ folder: String, from store: CatalogStore, _ data: String, program: String, now: Int64
  ) throws(BackupError) -> BackupManifest {
    let database = "\(folder)/\(Backup.databaseName)"
    do throws(CatalogStoreError) { try store.backUp(to: database) } catch { throw .store(error) }
    let copied = try BackupFiles.copy(database)
    var files = [BackupManifest.File(path: Backup.databaseName, bytes: copied.bytes, digest: copied.digest)]
    // After the database: what it refers to is there by now.
    for kept in Backup.keptFolders {
      var folders: Set<String> = []
      for name in BackupFiles.files(below: "\(data)/\(kept)") {
        let file = "\(kept)/\(name)"
        let parent = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? kept
        if folders.insert(parent).inserted { try BackupFiles.makeFolder("\(folder)/\(parent)") }
        let copied = try BackupFiles.copy("\(data)/\(file)", to: "\(folder)/\(file)")
        files.append(BackupManifest.File(path: file, bytes: copied.bytes, digest: copied.digest))
      }
      for parent in folders.sorted(by: >) { try BackupFiles.sync("\(folder)/\(parent)") }
    }
    let held: CatalogSnapshot
    do throws(CatalogStoreError) { held = try CatalogStore.read(databaseAt: database) } catch { throw .store(error) }
    return BackupManifest(
      createdAt: now, program: program, catalogVersion: held.version, products: held.productCount, files: files)
  }

  /// What a run that was killed has left: nobody holds its lock any more.
  private func removeUnfinished() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name.hasPrefix(".") && name.hasSuffix(".partial") {
      let folder = "\(path)/\(name)"
      let descriptor = clinux_open(folder, O_RDONLY | O_DIRECTORY, 0)
      guard descriptor >= 0 else { continue }
      defer { clinux_close(descriptor) }
      guard clinux_lock_exclusive(descriptor) >= 0 else { continue }
      BackupFiles.remove(folder)
      clinux_unlock(descriptor)
    }
  }

  private func unusedName(_ occasion: Occasion, at time: Int64) -> String {
    let stamp = Timestamp.rfc3339(time).filter { $0 != "-" && $0 != ":" }
    let name = "\(path)/\(occasion.rawValue)-\(stamp)"
    var candidate = name
    var number = 1
    while access(candidate, F_OK) == 0 {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }

  private static func occasion(of name: String) -> Occasion? {
    Occasion.allCases.first { name.hasPrefix("\($0.rawValue)-2") }
  }
}
