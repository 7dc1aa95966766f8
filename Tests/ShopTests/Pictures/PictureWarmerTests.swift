import Catalog
import Client
import Images
import Net
import OriginScripts
import Synchronization
import Testing

@testable import Shop

@Suite("The warmer of a running shop")
struct PictureWarmerTests {
  @Test("has every picture stored, carries on past those that fail, and says which and why")
  func carriesOn() async throws {
    let origin = try PictureOrigin()
    defer { origin.end() }
    origin["images/jeyuk.jpg"] = 404
    origin["images/miyeok"] = 500
    try await withWarmer(origin) { warmer, _, told in
      warmer.ask()
      #expect(await eventually { !warmer.progress.isWarming })
      let report = warmer.outcome
      #expect(report.total == 7 && report.stored == 5 && report.fetched == 5)
      #expect(report.failures.map(\.reference) == ["images/jeyuk.jpg", "images/miyeok"])
      #expect(report.failures.first?.reason == "the origin has no such picture")
      let last = try #require(told.last)
      #expect(last.total == 7 && last.stored == 5 && last.failed == 2 && !last.isWarming)
    }
  }

  @Test("asks for nothing that is stored, whatever happened to the one before it")
  func resumes() async throws {
    let origin = try PictureOrigin()
    defer { origin.end() }
    origin["images/kimchi.jpg"] = 500
    try await withWarmer(origin) { warmer, stock, _ in
      warmer.ask()
      #expect(await eventually { !warmer.progress.isWarming })
      warmer.stop()
      let asked = origin.targets.count
      let next = PictureWarmer(stock, report: { _ in }, onProgress: { _ in })
      origin["images/kimchi.jpg"] = 200
      next.ask()
      #expect(await eventually { !next.progress.isWarming })
      #expect(origin.targets.dropFirst(asked) == ["/images/kimchi.jpg"])
      #expect(next.outcome.stored == 7 && next.outcome.fetched == 1)
      next.stop()
    }
  }

  @Test(
    "gives the place of a picture that failed for good to the placeholder, and gives it back when the picture is there")
  func recovers() async throws {
    let origin = try PictureOrigin()
    defer { origin.end() }
    origin["images/jeyuk.jpg"] = 404
    try await withWarmer(origin, firstRest: 300) { warmer, stock, _ in
      let store = stock.store
      let shown = { @Sendable () -> String in
        store.snapshot.products.first { $0.product.id.text == "HDF73" }.map { "\($0.shown($0.image).reference)" } ?? ""
      }
      #expect(shown() == "images/jeyuk.jpg")
      warmer.ask()
      #expect(await eventually { shown() == "images/placeholder.jpg" })
      let version = store.version
      origin["images/jeyuk.jpg"] = 200
      #expect(await eventually { shown() == "images/jeyuk.jpg" })
      #expect(store.version > version)
      #expect(await eventually { warmer.outcome.failures.isEmpty })
    }
  }

  @Test("asks for what failed at once when it is asked to, however long that was to rest")
  func asksAgain() async throws {
    let origin = try PictureOrigin()
    defer { origin.end() }
    origin["images/jeyuk.jpg"] = 404
    try await withWarmer(origin) { warmer, _, _ in
      warmer.ask()
      #expect(await eventually { !warmer.progress.isWarming })
      origin["images/jeyuk.jpg"] = 200
      warmer.ask()
      #expect(await eventually { warmer.outcome.stored == 7 })
    }
  }

  @Test("leaves an origin alone that does not answer, after a dozen pictures")
  func silentOrigin() async throws {
    let origin = try PictureOrigin()
    origin.end()
    let products = (0..<40).map { number in
      #"{"id": "P\#(number)", "section": "kimchi", "title": "김치", "description": "", "price": 1, "image": "images/\#(number).jpg"},"#
    }
    try await withWarmer(origin, more: products.joined()) { warmer, _, _ in
      warmer.ask()
      #expect(await eventually { !warmer.progress.isWarming })
      let reasons = warmer.outcome.failures.map(\.reason)
      #expect(reasons.count == 47)
      // A few more may be under way when the dozen is full.
      #expect((47 - 15...47 - 12).contains(reasons.count { $0 == PictureRound.Result.skippedReason }))
    }
  }

  private typealias Body = (PictureWarmer, PictureStock, ToldProgress) async throws -> Void

  /// Runs `body` with a warmer over the sample shop, all of whose pictures are below the origin.
  private func withWarmer(
    _ origin: PictureOrigin, firstRest: Int64 = 60_000, more products: String = "", _ body: Body
  ) async throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop(name: "test")
    loop.start()
    let store = try CatalogStore(in: DataFolder("\(folder.path)/data"))
    let seed = SampleShop.seed.split(separator: "https://cdn.example.com/긴.webp?x=1").joined(
      separator: "images/long.webp"
    )
    .split(separator: #""products": ["#, maxSplits: 1).joined(separator: #""products": [\#(products)"#)
    _ = try store.import(SeedFile.read(Array(seed.utf8)))
    var configuration = PictureLibrary.Configuration(cache: "\(folder.path)/cache")
    configuration.originBase = try OriginURL(Array(origin.base.utf8))
    // A busy machine must not look like a slow origin.
    configuration.limits.connectMilliseconds = 30_000
    configuration.limits.firstByteMilliseconds = 30_000
    configuration.limits.totalMilliseconds = 60_000
    let stock = try PictureStock(configuration, store: store, loop: loop, report: { _ in })
    let told = ToldProgress()
    let warmer = PictureWarmer(stock, firstRest: firstRest, report: { _ in }, onProgress: { told.note($0) })
    do {
      try await body(warmer, stock, told)
    } catch {
      warmer.stop()
      throw error
    }
    warmer.stop()
    loop.stop()
  }
}

/// What a warmer said of how far it is.
private final class ToldProgress: Sendable {
  private let newest = Mutex<WarmingProgress?>(nil)

  var last: WarmingProgress? { newest.withLock { $0 } }

  func note(_ progress: WarmingProgress) { newest.withLock { $0 = progress } }
}

/// An origin that has every picture, but for those that the test gives another status.
private final class PictureOrigin: Sendable {
  private let origin: ScriptedOrigin
  private let statuses: Statuses

  private final class Statuses: Sendable {
    let ofPath = Mutex<[String: Int]>([:])
  }

  init() throws {
    let statuses = Statuses()
    self.statuses = statuses
    origin = try ScriptedOrigin { request in
      let path = String(request.target.dropFirst())
      let status = statuses.ofPath.withLock { $0[path] } ?? 200
      request.answer(status, status == 200 ? [0xFF, 0xD8, 0xFF, 0xE0] + Array(path.utf8) : Array("none".utf8))
    }
  }

  var base: String { "\(origin.base)/" }
  var targets: [String] { origin.targets }

  subscript(_ path: String) -> Int {
    get { statuses.ofPath.withLock { $0[path] } ?? 200 }
    set { statuses.ofPath.withLock { $0[path] = newValue } }
  }

  func end() { origin.stop() }
}
