import Catalog
import Images
import Net
import Server
import Shop

/// Reaches a shop's pictures: through the server that has it, else by opening shop and cache itself.
enum PictureAccess {
  case direct(PictureStock, EventLoop)
  case running(ControlClient, EventLoop)

  /// Finds out which of the two it is.
  ///
  /// - Parameter base: where relative references are fetched, for who works without a server.
  static func open(
    _ plan: ServeCommand.Plan, base: () throws(CommandFailure) -> String?
  ) throws(CommandFailure) -> PictureAccess {
    guard Paths.exists("\(plan.data)/\(CatalogStore.fileName)") else {
      throw .failed("there is no shop in \(plan.data); import one with `banchan import FILE --data \(plan.data)`")
    }
    let store: CatalogStore
    switch try ShopWriter.open(plan.data) {
    case .running(let client, let loop): return .running(client, loop)
    case .direct(let opened): store = opened
    }
    let loop = try Running.makeLoops(1)[0]
    let base = try plan.originBase(or: try base())
    do {
      let stock = try PictureStock(ServeCommand.library(plan, base), store: store, loop: loop) {
        Messages.write("banchan: \($0)")
      }
      return .direct(stock, loop)
    } catch {
      throw .failed("\(error)")
    }
  }

  func status() throws(CommandFailure) -> PictureStatus {
    switch self {
    case .direct(let stock, let loop): return Waiting.wait(on: loop) { await stock.status() }
    case .running(let client, let loop):
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in try await client.pictureStatus(on: loop) }
    }
  }

  func warm(_ progress: @escaping @Sendable (StepCount) -> Void) throws(CommandFailure) -> WarmingReport {
    switch self {
    case .direct(let stock, let loop):
      return Waiting.wait(on: loop) { await stock.warm { progress($0.steps) } }
    case .running(let client, let loop):
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in
        try await client.warmPictures(on: loop, progress: progress)
      }
    }
  }

  func check(_ progress: @escaping @Sendable (StepCount) -> Void) throws(CommandFailure) -> CheckReport {
    switch self {
    case .direct(let stock, let loop):
      return Waiting.wait(on: loop) {
        await stock.check { step in
          progress(step)
          return true
        }
      }
    case .running(let client, let loop):
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in
        try await client.checkPictures(on: loop, progress: progress)
      }
    }
  }

  func purge(_ selection: PictureSelection, isDryRun: Bool) throws(CommandFailure) -> PurgeReport {
    switch self {
    case .direct(let stock, let loop):
      let result: Result<PurgeReport, CatalogStoreError> = Waiting.wait(on: loop) {
        do throws(CatalogStoreError) {
          return .success(try await stock.purge(selection, isDryRun: isDryRun))
        } catch {
          return .failure(error)
        }
      }
      do throws(CatalogStoreError) { return try result.get() } catch { throw .failed("\(error)") }
    case .running(let client, let loop):
      return try Self.ask(loop) { () async throws(ControlClient.Fault) in
        try await client.purgePictures(selection, isDryRun: isDryRun, on: loop)
      }
    }
  }

  private static func ask<Answer: Sendable>(
    _ loop: EventLoop, _ question: @escaping @Sendable () async throws(ControlClient.Fault) -> Answer
  ) throws(CommandFailure) -> Answer {
    try ShopWriter.ask(loop, question)
  }
}
