import Catalog
import HTTP
import JSON
import Net
import Server

/// What an owner asks of the pictures of a running shop:
///
/// - `POST /images/status` answers with a `PictureStatus`.
/// - `POST /images/warm` and `POST /images/verify` answer with `CommandLines`, whose result is a `WarmingReport` or a
///   `CheckReport`.
/// - `POST /images/purge?what=all|failed|reference&dry-run=true`, with the reference as its body, answers with a
///   `PurgeReport`.
extension ControlResponder {
  /// Carries out a command about pictures.
  func answer(_ request: Request, about stock: PictureStock, _ warmer: PictureWarmer) async throws(Problem) -> Response
  {
    switch request.head.path {
    case Array("/images/status".utf8):
      return Self.json(.bytes(await stock.status(failures: warmer.outcome.failures).json))
    case Array("/images/warm".utf8):
      guard !stock.isOffline else { throw Self.problem("it was started with --offline and contacts no origin") }
      return Self.json(.stream(CommandLines(on: stock.loop) { note in await Self.warm(warmer, on: stock.loop, note) }))
    case Array("/images/verify".utf8):
      return Self.json(
        .stream(
          CommandLines(on: stock.loop) { note in
            let report = await stock.check { step in
              note(step)
              return !Task.isCancelled
            }
            return report.json
          }))
    case Array("/images/purge".utf8):
      return Self.json(.bytes(try await purge(request, in: stock).json))
    default:
      throw Problem(.notFound)
    }
  }

  /// Has the warmer go through everything, and waits for its end; whoever leaves does not end it.
  private static func warm(
    _ warmer: PictureWarmer, on loop: EventLoop, _ note: @Sendable (StepCount) -> Void
  ) async -> [UInt8] {
    warmer.ask()
    while !Task.isCancelled {
      let progress = warmer.progress
      guard progress.isWarming else { break }
      note(StepCount(done: progress.stored + progress.failed, total: progress.total))
      await loop.sleep(milliseconds: 100)
    }
    return warmer.outcome.json
  }

  private func purge(_ request: Request, in stock: PictureStock) async throws(Problem) -> PurgeReport {
    let isDryRun = Self.parameter("dry-run", of: request) == "true"
    let selection: PictureSelection
    switch Self.parameter("what", of: request) {
    case "all": selection = .all
    case "failed": selection = .failed
    case "reference": selection = .reference(String(decoding: request.body, as: UTF8.self))
    default: throw Problem(.invalidParameter)
    }
    do throws(CatalogStoreError) {
      let report = try await stock.purge(selection, isDryRun: isDryRun)
      if !isDryRun { shop.picturesDidChange(wantsWarming: report.forgotten > 0) }
      return report
    } catch {
      throw Self.problem(error)
    }
  }

  static func json(_ body: Response.Body) -> Response {
    var response = Response(.ok, body: body)
    response.add(.contentType, "application/json")
    response.add(.cacheControl, "no-store")
    return response
  }
}
