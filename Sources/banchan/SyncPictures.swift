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
    let round: PictureRound
    do throws(PictureLibrary.Fault) {
      round = try PictureRound(configuration, store: store, loop: loop) { Messages.write("banchan: \($0)") }
    } catch {
      return Messages.write("banchan: no pictures were fetched: \(error)")
    }
    let counter = ProgressCounter(name: "pictures")
    let outcome = Waiting.wait(on: loop) { await round.run { counter.show($0, of: $1) } }
    tell(outcome, plan)
  }

  private static func tell(_ outcome: PictureRound.Outcome, _ plan: Plan) {
    for failure in outcome.failures { Messages.write("picture \(failure.reference): \(failure.reason)") }
    var counts = ["\(outcome.fetched) fetched", "\(outcome.stored) stored before", "\(outcome.failures.count) failed"]
    if outcome.unstored > 0 { counts.append("\(outcome.unstored) not to be stored, says their origin") }
    if outcome.skipped > 0 { counts.append("\(outcome.skipped) not asked for, as their origin does not answer") }
    if outcome.relative > 0 { counts.append("\(outcome.relative) left to a server with an --origin-base") }
    print("pictures: \(counts.joined(separator: ", "))")
    let upstream = plan.configuration.upstream.origin
    if let address = IPAddress(upstream.serverName), AddressKind(address) != .public {
      Messages.write("banchan: the upstream is at an inner address; serve its pictures with --origin-allow \(upstream)")
    }
  }
}
