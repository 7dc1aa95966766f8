import Shop
import Text

/// `banchan backup`: copies the shop, also while a server runs.
enum BackupCommand: Command {
  static let name = "backup"
  static let summary = "Copies the shop (its database and uploaded pictures), also while a server runs."
  static let operand: String? = "[DIR]"
  static let settings = Setting.named("data")
  static let flags = [
    Flag(
      name: "keep", value: "N",
      help: "how many backups stay in DIR, a folder for this shop alone; older ones go (\(BackupShelf.standardCount))"),
    Flag(name: "list", value: "", help: "list the backups in DIR instead of making one"),
    Flag(name: "json", value: "", help: "print JSON"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    let data = flags.settings.text("data")
    let shelf = Paths.absolute(flags.operands.first ?? "\(data)/\(BackupShelf.folderName)")
    guard !flags.has("list") else { return try list(BackupShelf(shelf), isJSON: flags.has("json")) }
    let count = try flags.number("keep", in: 1...10_000, default: BackupShelf.standardCount)
    _ = try ShopFiles.database(in: data)
    let report = try ShopWriter.open(data).backUp(to: shelf, keeping: count)
    if flags.has("json") { return try Output.write(report.json + [UInt8(ascii: "\n")]) }
    print(
      "\(report.path): \(report.products) products (version \(report.version)), \(ByteSize.text(report.bytes)), read back and whole"
    )
    for name in report.removed { print("removed \(name), as \(count) are kept") }
  }

  private static func list(_ shelf: BackupShelf, isJSON: Bool) throws(CommandFailure) {
    let backups = shelf.backups
    if isJSON {
      let lines = backups.map { String(decoding: $0.json, as: UTF8.self) }
      return try Output.write(Array("[\(lines.joined(separator: ","))]\n".utf8))
    }
    for backup in backups {
      let manifest = backup.manifest
      print(
        "\(backup.path)  \(Timestamp.rfc3339(manifest.createdAt))  \(manifest.products) products "
          + "(version \(manifest.catalogVersion))  \(ByteSize.text(manifest.bytes))")
    }
    if backups.isEmpty { Messages.write("banchan: there are no backups in \(shelf.path)") }
  }
}
