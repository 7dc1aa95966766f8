import Glibc
import Server
import Shop

/// `banchan images`: looks after the stored pictures, through the server that has the shop, or without one.
enum ImagesCommand: Command {
  static let name = "images"
  static let summary = "Looks after the stored pictures: fetches what is missing, counts, checks, removes."
  static let operand: String? = "warm|status|verify|purge [REFERENCE]"
  static let operandLimit = 2
  static let settings = Setting.named("data", "cache", "seed", "origin-base", "origin-allow")
  static let flags = [
    Flag(name: "all", value: "", help: "purge: every stored picture"),
    Flag(
      name: "failed", value: "",
      help: "purge: the memory of pictures that failed for good, so that they are asked for again"),
    Flag(name: "dry-run", value: "", help: "purge: say what would go, without removing it"),
    Flag(name: "json", value: "", help: "the report as JSON"),
  ]

  private enum Work: String, CaseIterable { case warm, status, verify, purge }

  static func run(_ flags: Flags) throws(CommandFailure) {
    // Origins may close a connection that is written to.
    signal(SIGPIPE, SIG_IGN)
    guard let word = flags.operands.first, let work = Work(rawValue: word) else {
      let works = Work.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("`banchan images` takes one of \(works)\(flags.operands.first.map { ", not '\($0)'" } ?? "")")
    }
    guard work == .purge || flags.operands.count == 1 else {
      throw .usage("`banchan images \(word)` takes nothing else")
    }
    let selection = try work == .purge ? selection(flags) : .all
    let plan = try ServeCommand.Plan(flags.settings)
    var origin: DemoOriginChild?
    defer { origin?.end() }
    let access = try PictureAccess.open(plan) { () throws(CommandFailure) in
      guard work == .warm else { return nil }
      origin = try ServeCommand.demoOrigin(plan, LogWriter(), logsRequests: false)
      return origin?.base
    }
    let isJSON = flags.has("json")
    switch work {
    case .warm: try warm(access, isJSON)
    case .status: try status(access, isJSON)
    case .verify: try verify(access, isJSON)
    case .purge: try purge(access, selection, isDryRun: flags.has("dry-run"), isJSON)
    }
  }

  private static func selection(_ flags: Flags) throws(CommandFailure) -> PictureSelection {
    let reference = flags.operands.dropFirst().first
    let given = [flags.has("all"), flags.has("failed"), reference != nil].count { $0 }
    guard given == 1 else { throw .usage("`banchan images purge` takes --all, --failed or a picture's reference") }
    return flags.has("all") ? .all : flags.has("failed") ? .failed : .reference(reference ?? "")
  }

  private static func warm(_ access: PictureAccess, _ isJSON: Bool) throws(CommandFailure) {
    let counter = ProgressCounter(name: "pictures")
    let report = try access.warm { counter.show($0.done, of: $0.total) }
    counter.end()
    if isJSON {
      try write(report.json)
    } else {
      for failure in report.failures { Messages.write("\(failure.reference): \(failure.reason)") }
      print("pictures: \(report.words)")
    }
    let lacking = report.failures.count + report.skipped
    guard lacking == 0 else { throw .invalid(["banchan: \(Count.of(lacking, "picture")) could not be had"]) }
  }

  private static func status(_ access: PictureAccess, _ isJSON: Bool) throws(CommandFailure) {
    let status = try access.status()
    if isJSON { return try write(status.json) }
    print(
      """
      the catalog shows \(Count.of(status.shown, "picture")) (version \(status.version))
        stored    \(status.stored.words)
        missing   \(status.missing)
        failed    \(status.failures.count)
      derived sizes   \(status.derived.words)
      orphans         \(status.orphans.words)
      """)
    for failure in status.failures {
      print(
        "\(failure.reference): \(failure.reason)\(failure.isForGood ? " (the placeholder stands in its place)" : "")")
    }
  }

  private static func verify(_ access: PictureAccess, _ isJSON: Bool) throws(CommandFailure) {
    let counter = ProgressCounter(name: "files")
    let report = try access.check { counter.show($0.done, of: $0.total) }
    counter.end()
    if isJSON {
      try write(report.json)
    } else {
      for digest in report.damaged { Messages.write("\(digest): damaged, dropped") }
      for digest in report.lost { Messages.write("\(digest): not there, forgotten") }
      print("checked \(report.checked.words); \(report.damaged.count) damaged, \(report.lost.count) not there")
    }
    guard report.isSound else {
      throw .invalid([
        "banchan: what was not sound is fetched or made again when it is asked for, or by `banchan images warm`"
      ])
    }
  }

  private static func purge(
    _ access: PictureAccess, _ selection: PictureSelection, isDryRun: Bool, _ isJSON: Bool
  ) throws(CommandFailure) {
    let report = try access.purge(selection, isDryRun: isDryRun)
    if case .reference(let reference) = selection, report.removed.count + report.forgotten == 0 {
      throw .failed("nothing is stored of '\(reference)'; a reference is what the catalog's file says")
    }
    if isJSON {
      try write(report.json)
    } else {
      let words =
        selection == .failed
        ? "forgotten that \(Count.of(report.forgotten, "picture")) failed" : "removed \(report.removed.words)"
      print(isDryRun ? "would have \(words); nothing was changed" : words)
    }
  }

  private static func write(_ json: [UInt8]) throws(CommandFailure) { try Output.write(json + [UInt8(ascii: "\n")]) }
}

/// Numbers with what they count.
enum Count {
  static func of(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }

  /// Bytes as people read them.
  static func bytes(_ count: Int) -> String {
    if count < 1_000 { return "\(count) B" }
    let (tenths, unit) =
      count < 999_950
      ? (count / 100, "kB") : count < 999_950_000 ? (count / 100_000, "MB") : (count / 100_000_000, "GB")
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}

extension PictureStatus.Amount {
  var words: String { "\(count) (\(Count.bytes(bytes)))" }
}
