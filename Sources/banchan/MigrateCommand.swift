import Catalog
import JSON

/// `banchan migrate`: brings the data folder's database up to what this program writes, which `serve` does too.
enum MigrateCommand: Command {
  static let name = "migrate"
  static let summary = "Brings the data folder up to this version, after a backup; `serve` does it too."
  static let operand: String? = nil
  static let settings = Setting.named("data")
  static let flags = [
    Flag(name: "plan", value: "", help: "say what would be done, and change nothing"),
    Flag(name: "json", value: "", help: "print JSON"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    let data = flags.settings.text("data")
    let file = try ShopFiles.database(in: data)
    let plan: CatalogStore.MigrationPlan
    do throws(CatalogStoreError) {
      plan = try CatalogStore.migrationPlan(databaseAt: file)
    } catch {
      throw .failed("\(error)")
    }
    let isPlan = flags.has("plan")
    if !isPlan, !plan.steps.isEmpty { _ = try ShopFiles.openStore(data) }
    if flags.has("json") { return try Output.write(json(plan, isDone: !isPlan)) }
    guard !plan.steps.isEmpty else { return print("\(file) is up to date (schema \(plan.to)); there is nothing to do") }
    print("\(file): from schema \(plan.from) to \(plan.to)\(isPlan ? " would take" : ", done:")")
    if let backup = plan.backup { print("  a copy of it to \(backup)") }
    for (number, step) in plan.steps.enumerated() { print("  step \(Int(plan.from) + number + 1): \(step)") }
    if isPlan { print("nothing was changed") }
  }

  private static func json(_ plan: CatalogStore.MigrationPlan, isDone: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("from", Int64(plan.from))
      writer.member("to", Int64(plan.to))
      writer.member("steps", plan.steps)
      writer.key("backup")
      if let backup = plan.backup { writer.write(backup) } else { writer.writeNull() }
      writer.key("done")
      writer.write(isDone)
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
