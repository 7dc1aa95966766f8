import Catalog
import Client
import Images
import Net

/// A shop's pictures as its owner sees them: what the catalog shows, what the cache holds of it, and the way from the one
/// to the other. A server has one, and a command that works without a server makes its own.
public final class PictureStock: Sendable {
  let store: CatalogStore
  let library: PictureLibrary
  let base: OriginURL?
  /// Whether no origin is contacted.
  let isOffline: Bool
  let loop: EventLoop
  let threads: BlockingThreads
  private let news: PictureNewsDesk

  /// Opens the cache folder; blocks while it does.
  ///
  /// - Parameters:
  ///   - configuration: how pictures are fetched and kept. Its `onFinding` is set here.
  ///   - store: takes what is learnt of the pictures.
  ///   - loop: where pictures are fetched that no client asks for.
  ///   - threads: where files are read and written.
  ///   - report: takes one line that an operator should see.
  ///   - onNewVersion: called on a blocking thread after each version of the catalog that pictures have made.
  /// - Throws: `PictureLibrary.Fault`, a sentence for the operator.
  public init(
    _ configuration: PictureLibrary.Configuration, store: CatalogStore, loop: EventLoop,
    threads: BlockingThreads = BlockingThreads(limit: 4), report: @escaping @Sendable (String) -> Void,
    onNewVersion: @escaping @Sendable () -> Void = {}
  ) throws(PictureLibrary.Fault) {
    let news = PictureNewsDesk(
      store: store, loop: loop, threads: threads, report: report, onNewVersion: onNewVersion)
    var configuration = configuration
    configuration.log = report
    configuration.onFinding = { news.take($0) }
    library = try PictureLibrary(configuration, loop: loop, threads: threads)
    base = configuration.originBase
    isOffline = configuration.isOffline
    self.store = store
    self.loop = loop
    self.threads = threads
    self.news = news
  }

  /// Tells the cache which pictures products show, so that it evicts them last. To be said after each change of the catalog.
  func pin() async { await library.pin(store.snapshot.pictures.keys.map(\.bytes)) }

  var plan: WarmingPlan { WarmingPlan(store.snapshot, hasBase: base != nil) }
  var round: PictureRound { PictureRound(library: library, base: base) }

  /// Goes through all pictures once, and writes down what was learnt of them. For commands; a server has a
  /// `PictureWarmer`. Runs on the stock's loop.
  ///
  /// - Parameter progress: told after each picture.
  public func warm(progress: @escaping @Sendable (WarmingReport) -> Void) async -> WarmingReport {
    await pin()
    let plan = plan
    var report = WarmingReport()
    report.total = plan.pictures.count
    report.relative = plan.relative
    await round.run(plan.pictures, on: loop) { picture, result in
      report.note(picture, result)
      progress(report)
    }
    await publishNews()
    return report
  }

  /// Writes down what was learnt of pictures and not yet published.
  func publishNews() async { await news.publish() }

  /// The same for a thread that may block.
  func writeNews() { news.write() }
}
