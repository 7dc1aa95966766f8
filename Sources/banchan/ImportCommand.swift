import Catalog
import Shop

/// `banchan import`: makes the shop look like a seed file.
enum ImportCommand: Command {
  static let name = "import"
  static let summary = "Makes the catalog that of a seed file; what the file lacks is hidden."
  static let operand: String? = "FILE|DIR"
  static let settings = Setting.named("data")
  static let flags = [
    Flag(name: "prune", value: "", help: "delete what the file lacks, instead of hiding it"),
    Flag(name: "dry-run", value: "", help: "check the file and say what would change, without changing it"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    guard let operand = flags.operands.first else {
      throw .usage("`banchan import` needs a seed file, or a folder with a catalog.json")
    }
    let path = ShopFiles.seedFile(operand)
    // The whole file is checked before anything is opened for writing.
    let catalog = try ShopFiles.readSeed(path)
    let isDryRun = flags.has("dry-run")
    let data = flags.settings.text("data")
    let report =
      isDryRun && !Paths.exists("\(data)/\(CatalogStore.fileName)")
      ? ImportReport(summary: .everythingNew(catalog), version: 0)
      : try ShopWriter.open(data).importCatalog(
        catalog, missing: flags.has("prune") ? .delete : .hide, isDryRun: isDryRun)
    print("\(path): \(words(report, isDryRun: isDryRun))")
  }

  /// The report in words.
  static func words(_ report: ImportReport, isDryRun: Bool) -> String {
    let summary = report.summary
    var counts = [
      "\(summary.created) created", "\(summary.changed) changed", "\(summary.unchanged) unchanged",
      "\(summary.hidden) hidden",
    ]
    if summary.deleted > 0 { counts.append("\(summary.deleted) deleted") }
    let list = counts.joined(separator: ", ")
    if isDryRun { return "would be \(list); nothing was changed (version \(report.version))" }
    return summary.hasChanges
      ? "\(list); the catalog is now at version \(report.version)"
      : "\(list); nothing to do, the catalog stays at version \(report.version)"
  }
}

extension ImportSummary {
  /// Importing into a shop that does not exist yet.
  static func everythingNew(_ catalog: SeedCatalog) -> ImportSummary {
    ImportSummary(
      created: catalog.products.count, changed: 0, unchanged: 0, hidden: 0, deleted: 0, hasChanges: true)
  }
}
