import Catalog

/// `banchan import`: makes the shop look like a seed file.
enum ImportCommand: Command {
  static let name = "import"
  static let summary = "Makes the catalog that of a seed file; what the file lacks is hidden."
  static let operand: String? = "FILE|DIR"
  static let flags = [ShopFiles.dataFlag]

  static func run(_ flags: Flags) throws(CommandFailure) {
    guard let operand = flags.operands.first else {
      throw .usage("`banchan import` needs a seed file, or a folder with a catalog.json")
    }
    let path = ShopFiles.seedFile(operand)
    // The whole file is checked before anything is opened for writing.
    let catalog = try ShopFiles.readSeed(path)
    let store = try ShopFiles.openStore(flags["data"] ?? "data")
    let summary = try ShopFiles.importSeed(catalog, into: store)
    print(
      "\(path): \(summary.created) created, \(summary.changed) changed, \(summary.unchanged) unchanged, "
        + "\(summary.hidden) hidden; the catalog is at version \(store.version)")
  }
}
