import Catalog
import Glibc
import Net
import Shop

/// Writes to the shop in a data folder: through the server that has it, else by opening the store itself.
enum ShopWriter {
  case direct(CatalogStore)
  case running(ControlClient, EventLoop)

  /// Finds out which of the two it is.
  static func open(_ path: String) throws(CommandFailure) -> ShopWriter {
    let folder: DataFolder
    do throws(DataFolderError) {
      folder = try DataFolder(path)
    } catch .inUse where Paths.exists("\(path)/\(ControlResponder.socketName)") {
      return .running(ControlClient(dataFolder: path), try Running.makeLoops(1)[0])
    } catch {
      throw .failed("\(error)")
    }
    return .direct(try ShopFiles.openStore(in: folder))
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
      let result: Result<ImportReport, ControlClient.Fault> = Waiting.wait(on: loop) {
        do throws(ControlClient.Fault) {
          return .success(try await client.importSeed(seed, missing: missing, isDryRun: isDryRun, on: loop))
        } catch {
          return .failure(error)
        }
      }
      do throws(ControlClient.Fault) {
        return try result.get()
      } catch {
        throw .failed("\(error)")
      }
    }
  }
}
