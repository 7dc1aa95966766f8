import Catalog
import Client
import HTTP
import Images
import Metrics
import Net
import Server

/// The shop as a server's responder: routes, views, pictures, health.
///
/// Made once; everything it answers comes out of the store's snapshot and the picture library.
public final class ShopService: Responder {
  /// What an operator sets.
  public struct Configuration: Sendable {
    /// How pictures are fetched and kept. Its `log` and `onFinding` are set by the
    /// service. Without it no picture is served.
    public var library: PictureLibrary.Configuration?
    /// Scheme and host of the URLs in answers; those of each request when nil.
    public var publicURL: PublicBase?
    /// Where the compatible surfaces stand.
    public var surfaces: [SurfaceMount]
    /// Folders of origins whose pictures are served under a path of their own.
    public var mounts: [OriginMount] = []
    /// What is listened on: stands in for Host in requests without one.
    public var address: SocketAddress
    /// Whether all pictures are fetched before anybody asks for them.
    public var warmsPictures = false
    /// Whether plain requests are sent to HTTPS, and whether browsers are to stay there.
    public var transport = TransportPolicy()
    /// Dev mode; nil in production.
    public var development: DevelopmentMode?
    /// The pages: storefront and documentation. Without it the API alone is served.
    public var pages: PublicFolder?
    /// Where everything that is counted goes.
    public var metrics = MetricRegistry()
    /// Which Banchan this is, for the metrics.
    public var version = ""

    /// A configuration from its parts.
    public init(
      library: PictureLibrary.Configuration?, publicURL: PublicBase?, surfaces: [SurfaceMount], address: SocketAddress
    ) {
      self.library = library
      self.publicURL = publicURL
      self.surfaces = surfaces
      self.address = address
    }
  }

  /// Moves on with each version of the catalog.
  public let generation: Generation

  /// What operators ask.
  public let operations: OperationsService

  private let router: Router
  private let health: Health
  let stock: PictureStock?
  let warmer: PictureWarmer?
  private let warmsPictures: Bool
  private let surfaces: [SurfaceMount]
  private let pagePaths: [String]
  private let transport: TransportPolicy
  private let store: CatalogStore
  private let events: EventHub
  private let listings: PictureListings
  private let threads: BlockingThreads
  private let faults: FaultInjector?
  private let reloader: SeedReloader?
  private let journal: RequestJournal?

  /// Opens the picture library and builds the routes; blocks while it does.
  /// - Parameters:
  ///   - loop: where work runs that belongs to no connection.
  ///   - report: takes one line that an operator should see.
  /// - Throws: `PictureLibrary.Fault`, `PublicFolderFault`, `RouteClash` or `OriginMountError`, each a sentence for the operator.
  public init(
    _ configuration: Configuration, store: CatalogStore, loop: EventLoop, report: @escaping @Sendable (String) -> Void
  ) throws {
    let generation = Generation()
    let threads = BlockingThreads(limit: 8)
    let events = EventHub(on: loop)
    events.publish(.catalog) { .catalog(store.snapshot) }
    let stock = try configuration.library.map { library in
      var library = library
      // The operator has named them.
      library.allowedOrigins.formUnion(configuration.mounts.map(\.origin))
      return try PictureStock(library, store: store, loop: loop, threads: threads, report: report) {
        generation.advance()
        events.publish(.catalog) { .catalog(store.snapshot) }
      }
    }
    warmer = stock.map { stock in
      PictureWarmer(stock, report: report) { progress in events.publish(.pictures) { .pictures(progress) } }
    }
    let health = Health(checks: ShopChecks.all(store: store, library: stock?.library))
    let listings = PictureListings()
    let catalog = CatalogEndpoints(
      store: store, bases: PublicBases(fixed: configuration.publicURL, address: configuration.address),
      threads: threads)

    var routes = health.routes + ProblemPages.routes + catalog.routes + [EventEndpoint(hub: events).route]
    if let stock {
      routes.append(PictureEndpoint(store: store, library: stock.library, index: PictureIndex()).route)
      routes.append(
        ManifestEndpoint(stock: stock, bases: catalog.bases, threads: threads, listings: listings).route)
    }
    for mount in configuration.surfaces { routes += catalog.routes(of: mount) }
    documented = routes.map { "\($0.method.name) \($0.pattern)" }
    let pages = try configuration.pages.map { folder in
      try PageRoutes(folder: folder, store: store, mounts: configuration.surfaces).routes(beside: routes)
    }
    routes += pages ?? []
    try OriginMount.check(configuration.mounts, beside: routes)
    if let stock { routes += MountEndpoint(mounts: configuration.mounts, library: stock.library).routes }
    router = try Router(routes)
    surfaces = configuration.surfaces
    pagePaths = configuration.pages?.entrances ?? []
    transport = configuration.transport
    operations = try OperationsService(metrics: configuration.metrics, health: health)
    ShopMetrics.register(in: configuration.metrics, store: store, health: health)
    if let stock { PictureMetrics.register(in: configuration.metrics, library: stock.library) }
    ProcessMetrics.register(in: configuration.metrics, version: configuration.version)
    self.generation = generation
    self.health = health
    self.stock = stock
    warmsPictures = configuration.warmsPictures
    self.store = store
    self.events = events
    self.threads = threads
    self.listings = listings
    journal = configuration.development.map { _ in RequestJournal(events: events, on: loop) }
    faults = configuration.development.map {
      FaultInjector(rules: $0.rules, spared: SparedPaths(pages: pages?.map(\.pattern) ?? []))
    }
    reloader = configuration.development.map { development in
      events.publish(.development) { development.event() }
      return SeedReloader(folder: development.seedFolder, store: store, events: events, report: report)
    }
  }

  /// Every route but the pages', as method and pattern: what `openapi.json` has to tell of.
  package let documented: [String]
  /// The patterns of the routes, by the numbers that answers carry.
  public var routeNames: [String] { router.names }

  /// A few addresses worth a look, for the words at the start.
  public var examplePaths: [String] {
    pagePaths + ["/api/v1/products/HBDEF"] + surfaces.flatMap(\.examplePaths)
  }

  /// Answers any request; a problem when no endpoint does.
  public func respond(to request: Request) async -> Response {
    if request.head.method == .options {
      return Preflight.response(to: request.head, allowsPrivateNetwork: faults != nil)
    }
    guard let faults else { return await answer(request) }
    var response: Response
    do throws(Problem) {
      if let plan = try faults.plan(for: request.head) {
        response = await faults.respond(to: request, by: plan) { await answer(request) }
      } else {
        response = await answer(request)
      }
    } catch {
      response = error.response(to: request.head)
    }
    // The next request may ask for a fault.
    response.isReusable = false
    return response
  }

  /// What is to be told what became of each request; nil in production.
  public var requestWatcher: (@Sendable (AnswerRecord) -> Void)? {
    guard let journal else { return nil }
    return { journal.note($0) }
  }

  private func answer(_ request: Request) async -> Response {
    if let redirection = transport.redirection(of: request) { return redirection }
    var response = await router.respond(to: request)
    transport.mark(&response, to: request)
    return response
  }

  /// The problem for what the server refuses by itself.
  public func response(to refusal: Refusal, head: RequestHead?) -> Response {
    refusal.problem.response(to: head)
  }

  /// Lets go of the answers of an earlier version, and tells those who listen, after somebody wrote to the store.
  public func catalogDidChange() { picturesDidChange(wantsWarming: true) }

  /// The same, after somebody did something to the stored pictures.
  func picturesDidChange(wantsWarming: Bool) {
    generation.advance()
    events.publish(.catalog) { .catalog(store.snapshot) }
    pinPictures()
    if wantsWarming { warmPictures() }
  }

  /// Begins what goes on without anybody's asking: the cache learns what products show, changes of pictures are counted from
  /// now on, those that are not stored are fetched if they are to be, and in dev mode the seed folder is followed.
  public func begin() {
    reloader?.start { [self] in
      catalogDidChange()
    } onPictures: { [self] references in
      refreshPictures(references)
    }
    threads.submit { [store, listings] in _ = listings.listing(of: store.snapshot) }
    pinPictures()
    warmPictures()
  }

  /// Keeps the pictures of this catalog in the cache before all others.
  private func pinPictures() {
    guard let stock else { return }
    Task.detached(executorPreference: stock.loop) { await stock.pin() }
  }

  private func warmPictures() {
    if warmsPictures { warmer?.ask() }
  }

  /// Asks for pictures again although what is stored of them is fresh: somebody has changed their files.
  private func refreshPictures(_ references: [PictureReference]) {
    guard let stock else { return }
    for reference in references { stock.library.forgetFailure(of: reference.bytes) }
    Task.detached(executorPreference: stock.loop) { [self] in
      for reference in references { await stock.library.refresh(reference.bytes) }
      // Its sizes, and what previews show of it, are made anew as well.
      warmPictures()
    }
  }

  /// What the cache may take of its disk from now on; what is too much goes at once.
  /// - Parameter minimumFree: bytes that it leaves free; nil for the library's own rule.
  public func limitCache(to bytes: Int, minimumFree: Int?) {
    guard let stock else { return }
    Task.detached(executorPreference: stock.loop) {
      await stock.library.limitCache(to: bytes, minimumFree: minimumFree)
    }
  }

  /// Turns readiness, and ends the answers that have no end of their own: what else is under way is still answered.
  public func beginStopping() {
    health.beginStopping()
    warmer?.stop()
    events.end()
  }

  /// Writes down what was learnt of pictures and not yet published; blocks.
  public func writeNews() {
    stock?.writeNews()
  }
}
