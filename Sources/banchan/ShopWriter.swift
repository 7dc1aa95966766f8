import Catalog
import Glibc
import Net
import Shop

/// Writes to the shop in a data folder: through the server that has it, else by opening the store itself.
enum ShopWriter {
  case direct(CatalogStore)
  /// The folder is ours, and its database of no use: only a restore can do something about it.
  case unusable(DataFolder, CatalogStoreError)
  case running(ControlClient, EventLoop)

  /// Finds out which of the two it is.
  ///
  /// - Parameter isRestoring: whether a database that cannot be used is no reason to give up.
  static func open(_ path: String, isRestoring: Bool = false) throws(CommandFailure) -> ShopWriter {
    let folder: DataFolder
    do throws(DataFolderError) {
      folder = try DataFolder(path)
    } catch .inUse where Paths.exists("\(path)/\(ControlResponder.socketName)") {
      return .running(ControlClient(dataFolder: path), try Running.makeLoops(1)[0])
    } catch {
      throw .failed("\(error)")
    }
    do throws(CatalogStoreError) {
      return .direct(try CatalogStore(in: folder))
    } catch {
      guard isRestoring, error.isOfTheFile else { throw .failed("\(error)") }
      return .unusable(folder, error)
    }
  }

  /// Makes the shop look like a catalog that was checked, or says what that would do.
  func importCatalog(
    _ catalog: SeedCatalog, missing: MissingProducts, isDryRun: Bool
  ) throws(CommandFailure) -> ImportReport {
    switch self {
    case .direct(let store):
      if isDryRun { return ImportReport(summary: store.preview(catalog, missing: missing), version: store.version) }
      let summary = try ShopFiles.importSeed(catalog, into: store, missing: missing)
      return ImportReport(summary: summary, version: store.version)
    case .unusable(_, let error): throw .failed("\(error)")
    case .running(let client, let loop):
      let seed = SeedWriter.write(catalog)
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in
        try await client.importSeed(seed, missing: missing, isDryRun: isDryRun, on: loop)
      }
    }
  }

  /// Backs the shop up to a folder of backups.
  func backUp(to shelf: String, keeping count: Int) throws(CommandFailure) -> BackupReport {
    switch self {
    case .direct(let store):
      do throws(BackupError) {
        return try BackupReport.afterBackingUp(
          store, on: BackupShelf(shelf), keeping: count, program: Banchan.version)
      } catch {
        throw .failed("\(error)")
      }
    case .unusable(_, let error): throw .failed("\(error)")
    case .running(let client, let loop):
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in
        try await client.backUp(to: shelf, keeping: count, on: loop)
      }
    }
  }

  /// Makes the shop what it was when a backup was made, also where its database cannot be used any more.
  func restore(_ backup: Backup, verifies: Bool) throws(CommandFailure) -> Restoration.Outcome {
    switch self {
    case .direct(let store):
      do throws(BackupError) {
        return try Restoration(of: backup, program: Banchan.version).carryOut(in: store, verifies: verifies)
      } catch {
        throw .failed("\(error)")
      }
    case .unusable(let folder, _):
      do throws(BackupError) {
        return try Restoration(of: backup, program: Banchan.version).carryOut(
          replacingUnusableIn: folder, verifies: verifies)
      } catch {
        throw .failed("\(error)")
      }
    case .running(let client, let loop):
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in
        try await client.restore(backup.path, verifies: verifies, on: loop)
      }
    }
  }

  /// Waits for a running server's answer.
  static func ask<Answer: Sendable>(
    _ loop: EventLoop, _ question: @escaping @Sendable () async throws(ControlClient.Fault) -> Answer
  ) throws(CommandFailure) -> Answer {
    let answer: Result<Answer, ControlClient.Fault> = Waiting.wait(on: loop) {
      do throws(ControlClient.Fault) {
        return .success(try await question())
      } catch {
        return .failure(error)
      }
    }
    do throws(ControlClient.Fault) {
      return try answer.get()
    } catch {
      throw .failed("\(error)")
    }
  }
}
