import Catalog
import Glibc
import Net
import Shop

/// Writes to the shop in a data folder: through the server that has it, else by opening the store itself.
enum ShopWriter {
  case direct(CatalogStore)
  case running(ControlClient, EventLoop)

  /// Whose a data folder is.
  private enum Holder {
    case us(DataFolder)
    case server(ControlClient, EventLoop)
  }

  private static func holder(of path: String) throws(CommandFailure) -> Holder {
    do throws(DataFolderError) {
      return .us(try DataFolder(path))
    } catch .inUse where Paths.exists("\(path)/\(ControlResponder.socketName)") {
      return .server(ControlClient(dataFolder: path), try Running.makeLoops(1)[0])
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Finds out which of the two it is.
  static func open(_ path: String) throws(CommandFailure) -> ShopWriter {
    switch try holder(of: path) {
    case .us(let folder): .direct(try ShopFiles.openStore(in: folder))
    case .server(let client, let loop): .running(client, loop)
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
    case .running(let client, let loop):
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in
        try await client.backUp(to: shelf, keeping: count, on: loop)
      }
    }
  }

  /// Makes a shop what it was when a backup was made, also where its database cannot be used any more.
  static func restore(
    _ backup: Backup, in path: String, verifies: Bool
  ) throws(CommandFailure) -> Restoration.Outcome {
    switch try holder(of: path) {
    case .us(let folder):
      do throws(BackupError) {
        return try Restoration(of: backup, program: Banchan.version).carryOut(in: folder, verifies: verifies)
      } catch {
        throw .failed("\(error)")
      }
    case .server(let client, let loop):
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
