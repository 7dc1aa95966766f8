import Shop
import Text

/// `banchan restore`: makes the shop what it was in a backup, also in a running server.
enum RestoreCommand: Command {
  static let name = "restore"
  static let summary =
    "Makes the shop what it was in a backup, also in a running server; what is there is backed up first."
  static let operand: String? = "BACKUP"
  static let settings = Setting.named("data")
  static let flags = [
    Flag(name: "verify", value: "", help: "read everything again from the disk afterwards, and compare"),
    Flag(name: "dry-run", value: "", help: "read the backup whole and try it out, and change nothing"),
    Flag(name: "json", value: "", help: "print JSON"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    guard let operand = flags.operands.first else {
      throw .usage("`banchan restore` needs a backup; `banchan backup --list` shows them")
    }
    let data = flags.settings.text("data")
    let backup: Backup
    do throws(BackupError) {
      backup = try Backup(at: Paths.absolute(operand))
      if flags.has("dry-run") {
        try backup.verify(scratch: data)
        return print("\(backup.path) is whole: \(words(backup)); nothing was changed")
      }
    } catch {
      throw .failed("\(error)")
    }
    let verifies = flags.has("verify")
    let outcome = try ShopWriter.restore(backup, in: data, verifies: verifies)
    if outcome.isVerified == false {
      throw .failed(
        "what was restored to \(data) is not what is on the disk: check the disk (`banchan doctor`), and restore again")
    }
    if flags.has("json") { return try Output.write(outcome.json + [UInt8(ascii: "\n")]) }
    print(
      "restored \(words(backup)); the catalog is now at version \(outcome.version)\(verifies ? ", and verified" : "")")
    if let aside = outcome.setAside { print("the database that could not be used is now \(data)/\(aside)") }
    if let previous = outcome.previous {
      print("what was there before is in \(data)/\(BackupShelf.folderName)/\(previous)")
    }
  }

  private static func words(_ backup: Backup) -> String {
    let manifest = backup.manifest
    return
      "\(manifest.products) products of \(Timestamp.rfc3339(manifest.createdAt)) (then version \(manifest.catalogVersion))"
  }
}
