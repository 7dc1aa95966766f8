import Catalog
import Glibc

/// `banchan export`: writes the catalog as a seed file.
enum ExportCommand: Command {
  static let name = "export"
  static let summary = "Writes the catalog as a seed file in canonical form, on standard output or to a file."
  static let operand: String? = "[FILE]"
  static let settings = Setting.named("data")

  static func run(_ flags: Flags) throws(CommandFailure) {
    let bytes = SeedWriter.write(SeedCatalog(try ShopFiles.readSnapshot(flags.settings.text("data"))))
    guard let path = flags.operands.first, path != "-" else { return try Output.write(bytes) }
    try Paths.replace(path, with: bytes)
  }
}
