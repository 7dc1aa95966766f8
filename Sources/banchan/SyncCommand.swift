import CLinux
import Catalog
import Client
import Glibc
import Images
import JSON
import Net
import Shop

/// `banchan sync`: makes the shop look like an upstream that speaks one of the compatible surfaces.
enum SyncCommand: Command {
  static let name = "sync"
  static let summary = "Mirrors an upstream that speaks a compatible surface: its catalog first, its pictures after."
  static let operand: String? = "URL"
  static let settings = Setting.named("data", "cache", "origin-allow")
  static let flags = [
    Flag(name: "surface", value: "NAME", help: "the surface that the upstream speaks, such as onban2022 (found out)"),
    Flag(name: "timeout", value: "SECONDS", help: "until an answer must have begun (15)"),
    Flag(name: "pictures", value: "on|off", help: "whether pictures are fetched when the catalog is in (on)"),
    Flag(name: "prune", value: "", help: "delete what the upstream no longer lists, instead of hiding it"),
    Flag(name: "dry-run", value: "", help: "ask the upstream and say what would change, without changing it"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    // The client writes to sockets that the upstream may have closed.
    signal(SIGPIPE, SIG_IGN)
    let plan = try Plan(flags)
    // What cannot be written to is found before anything is asked for. It is not held meanwhile: a server may start.
    if plan.hasShop { _ = try ShopWriter.open(plan.data) }
    let loop = try Running.makeLoops(1)[0]
    let journal = try plan.openJournal()
    let harvest = try harvest(plan, journal, on: loop)

    let writer = plan.isDryRun && !plan.hasShop ? nil : try ShopWriter.open(plan.data)
    let mirror = try mirror(harvest, over: writer, in: plan.data)
    let report =
      try writer?.importCatalog(mirror.catalog, missing: plan.missing, isDryRun: plan.isDryRun)
      ?? ImportReport(summary: .everythingNew(mirror.catalog), version: 0)
    // An upstream that went away in the middle may come back: then the sync takes up where it stopped.
    if !harvest.isCutShort { plan.remove(journal) }
    tell(mirror, harvest, journal, report, plan)

    if plan.wantsPictures, !plan.isDryRun { fetchPictures(plan, writer, on: loop) }
    guard mirror.failures.isEmpty else { throw .invalid(Harvest.Failure.lines(mirror.failures)) }
  }

  private static func harvest(
    _ plan: Plan, _ journal: SyncJournal, on loop: EventLoop
  ) throws(CommandFailure) -> Harvest {
    let sync = CatalogSync(plan.configuration)
    let counter = ProgressCounter(name: "details")
    let upstream = plan.configuration.upstream
    let result: Result<Harvest, SyncError> = Waiting.wait(on: loop) {
      do throws(SyncError) {
        return .success(
          try await sync.harvest(journal: journal, on: loop) { event in tell(event, of: upstream, counter) })
      } catch {
        return .failure(error)
      }
    }
    do throws(SyncError) {
      return try result.get()
    } catch {
      if journal.isEmpty { plan.remove(journal) }
      throw .failed("\(error)")
    }
  }

  private static func mirror(
    _ harvest: Harvest, over writer: ShopWriter?, in data: String
  ) throws(CommandFailure) -> CatalogMirror {
    let snapshot: CatalogSnapshot?
    switch writer {
    case .direct(let store): snapshot = store.snapshot
    case .running: snapshot = try ShopFiles.readSnapshot(data)
    case nil: snapshot = nil
    }
    let known = snapshot.flatMap { $0.version == 0 ? nil : SeedCatalog($0) }
    do throws(JSONRule) {
      return try CatalogMirror(harvest, over: known)
    } catch {
      throw .failed("the upstream's catalog cannot be put together: \(error.english)")
    }
  }

  // MARK: Words

  private static func tell(_ event: SyncProgress, of upstream: OriginURL, _ counter: ProgressCounter) {
    switch event {
    case .recognised(let surface, let found):
      let more = found == 0 ? "" : "; an earlier sync that did not end has left \(found) answers"
      Messages.write("banchan: \(upstream) speaks \(surface)\(more)")
    case .listed(let name, let products):
      let thing = name == "best" ? "collection" : "product"
      Messages.write("banchan: \(name): \(products) \(thing)\(products == 1 ? "" : "s")")
    case .failed(let name, let reason): Messages.write("banchan: \(name): \(reason)")
    case .details(let done, let total): counter.show(done, of: total)
    }
  }

  private static func tell(
    _ mirror: CatalogMirror, _ harvest: Harvest, _ journal: SyncJournal, _ report: ImportReport, _ plan: Plan
  ) {
    let recalled = harvest.recalled == 0 ? "" : ", and \(harvest.recalled) answers of an earlier sync"
    Messages.write(
      "banchan: details: \(harvest.takenDetails) of \(harvest.takenDetails + harvest.failedDetails), "
        + "after \(harvest.requests) requests\(recalled)")
    if let trouble = journal.trouble {
      Messages.write("banchan: not all answers could be kept for a later sync (\(journal.path): \(trouble))")
    }
    for remark in mirror.remarks { Messages.write("banchan: \(remark)") }
    for oddity in mirror.oddities { Messages.write("\(oddity)") }
    if harvest.isCutShort {
      Messages.write(
        "banchan: the upstream stopped answering; what it had said is kept, and the next sync goes on from there")
    }
    print(
      "\(plan.configuration.upstream): \(ImportCommand.words(report, isDryRun: plan.isDryRun)); "
        + "details failed: \(harvest.failedDetails), oddities: \(mirror.oddities.count)")
  }
}
