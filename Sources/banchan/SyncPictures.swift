import Client
import Images
import Net
import Shop

// The second half of a sync: the catalog is in, and its pictures are fetched.
extension SyncCommand {
  /// Fetches the pictures of the catalog that is in now. What fails is named, and is no failure of the sync: the server asks
  /// again when somebody wants to see it.
  static func fetchPictures(_ plan: Plan, _ writer: ShopWriter?, on loop: EventLoop) {
    guard case .direct(let store)? = writer else {
      return Messages.write("banchan: a server has this shop: it fetches each picture when it is first asked for")
    }
    var configuration = PictureLibrary.Configuration(cache: plan.cache)
    configuration.allowedOrigins = plan.pictureOrigins
    configuration.userAgent = plan.configuration.userAgent
    let stock: PictureStock
    do throws(PictureLibrary.Fault) {
      stock = try PictureStock(configuration, store: store, loop: loop) { Messages.write("banchan: \($0)") }
    } catch {
      return Messages.write("banchan: no pictures were fetched: \(error)")
    }
    let counter = ProgressCounter(name: "pictures")
    tell(Waiting.wait(on: loop) { await stock.warm { counter.show($0.steps.done, of: $0.steps.total) } }, plan)
  }

  private static func tell(_ report: WarmingReport, _ plan: Plan) {
    for failure in report.failures { Messages.write("picture \(failure.reference): \(failure.reason)") }
    print("pictures: \(report.words)")
    let upstream = plan.configuration.upstream.origin
    if let address = IPAddress(upstream.serverName), AddressKind(address) != .public {
      Messages.write("banchan: the upstream is at an inner address; serve its pictures with --origin-allow \(upstream)")
    }
  }
}
