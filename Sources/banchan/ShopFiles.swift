import Catalog
import Net
import Shop

/// What the commands share about the shop's folders, with failures as sentences.
enum ShopFiles {
  /// Opens the store in a data folder, making both when they are missing.
  static func openStore(_ path: String) throws(CommandFailure) -> CatalogStore {
    let folder: DataFolder
    do throws(DataFolderError) {
      folder = try DataFolder(path)
    } catch {
      guard case .notWritable = error, let ownership = FolderOwnership(ofForbidden: path) else {
        throw .failed("\(error)")
      }
      throw .failed(
        "the data folder cannot be used: \(ownership.finding); \(ownership.advice), or choose another with --data")
    }
    return try openStore(in: folder)
  }

  static func openStore(in folder: DataFolder) throws(CommandFailure) -> CatalogStore {
    do throws(CatalogStoreError) {
      return try CatalogStore(in: folder)
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Reads the catalog of a data folder that a server may have, without changing anything.
  static func readSnapshot(_ path: String) throws(CommandFailure) -> CatalogSnapshot {
    let file = try database(in: path)
    do throws(CatalogStoreError) {
      return try CatalogStore.read(databaseAt: file)
    } catch {
      throw .failed("\(error)")
    }
  }

  /// The database of a shop that must be there already.
  static func database(in path: String) throws(CommandFailure) -> String {
    let file = "\(path)/\(CatalogStore.fileName)"
    guard Paths.exists(file) else {
      throw .failed("there is no shop in \(path); import one with `banchan import FILE --data \(path)`")
    }
    return file
  }

  /// The file that an operand names: itself, or the `catalog.json` in a folder.
  static func seedFile(_ operand: String) -> String {
    Paths.isFolder(operand) ? "\(operand)/catalog.json" : operand
  }

  /// Reads and checks a seed file, whole.
  static func readSeed(_ path: String) throws(CommandFailure) -> SeedCatalog {
    let bytes = try Paths.read(path, limit: Int64(SeedFile.largestSize))
    do throws(SeedFileError) {
      return try SeedFile.read(bytes)
    } catch {
      throw .invalid(error.lines(file: path))
    }
  }

  /// The folder of the pages: the one that the flag names, else that of the installation; nil for none.
  static func pages(_ flag: String?) -> String? {
    if let flag { return flag == "off" ? nil : flag }
    return Installation.pages
  }

  /// Reads the pages, if there are to be any.
  static func readPages(_ path: String?) throws(CommandFailure) -> PublicFolder? {
    guard let path else { return nil }
    do throws(PublicFolderFault) {
      return try PublicFolder(path)
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Imports a catalog that has been checked.
  static func importSeed(
    _ catalog: SeedCatalog, into store: CatalogStore, missing: MissingProducts = .hide
  ) throws(CommandFailure) -> ImportSummary {
    do throws(CatalogStoreError) {
      return try store.import(catalog, missing: missing)
    } catch {
      throw .failed("\(error)")
    }
  }
}
