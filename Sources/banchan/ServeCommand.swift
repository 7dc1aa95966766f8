import CLinux
import Catalog
import Client
import Glibc
import Images
import Metrics
import Net
import Server
import Shop

/// `banchan serve`: the shop.
enum ServeCommand: Command {
  static let name = "serve"
  static let summary = "Serves the shop: the catalog as JSON, and its pictures through the cache."
  static let operand: String? = nil
  static let settings = Setting.table

  static func run(_ flags: Flags) throws(CommandFailure) {
    CrashReports.arrange()
    clinux_signals_block()
    clinux_raise_descriptor_limit()
    let plan = try Plan(flags.settings)
    let store = try ShopFiles.openStore(plan.data)
    let memory = MemoryBounds(loops: plan.threads)
    let logWriter = LogWriter(plan.log, limit: memory.log)
    if let summary = try fillIfEmpty(store, in: plan.data, from: plan.seed) {
      let file = ShopFiles.seedFile(plan.seed)
      logWriter.write("filled the empty data folder from \(file): \(summary.created) products", .info)
    }

    let loops = try Running.makeLoops(plan.threads)
    // A port in use is found before a child is started.
    let sockets = try Running.listen(on: plan.address, count: loops.count)
    let address = sockets[0].address
    let secure = try plan.tls.map { (tls) throws(CommandFailure) in
      try SecureListener(tls, data: plan.data, loops: loops.count, logWriter: logWriter)
    }

    let operations = try plan.operations.map { (address) throws(CommandFailure) in
      try Running.listen(on: address, count: 1, flagPrefix: "ops-")[0]
    }
    let child = try demoOrigin(plan, logWriter, logsRequests: plan.log.format != .off)
    let base = try plan.originBase(or: child?.base)
    let metrics = MetricRegistry()
    logWriter.register(in: metrics)
    let service: ShopService
    do {
      service = try makeService(plan, store, base, address, loops[0], securePort: secure?.address.port, metrics) {
        logWriter.write($0)
      }
    } catch {
      child?.end()
      throw error
    }
    if let ownership = FolderOwnership(ofForbidden: plan.cache) {
      logWriter.write("pictures are not kept: \(ownership.finding); \(ownership.advice)")
    }
    var options = Server.Options()
    options.logsRequests = true
    options.marksAnswers = true
    options.limits = plan.limits(within: memory)
    options.answerBytes = memory.answersPerLoop
    options.trustedProxies = plan.trustedProxies
    options.cors = CORSPolicy(credentialOrigins: plan.corsOrigins)
    options.onAnswer = service.requestWatcher
    // What nobody can ask for is not counted.
    options.metrics = operations == nil ? nil : metrics
    let server = Server(
      on: sockets, secure: secure?.port, loops: loops, responder: service, options: options, logWriter: logWriter)

    let control = controlServer(store, service, loops[0], logWriter, data: plan.data)
    let desk = operations.map {
      Server(
        on: [$0], loops: [loops[0]], responder: service.operations, options: Server.Options(), logWriter: logWriter)
    }
    let live = LiveSettings(flags, logWriter: logWriter, service: service)
    var running = Running(server: server, loops: loops, logWriter: logWriter, grace: { live.grace })
    running.onStopping = { service.beginStopping() }
    running.companions = [control, desk].compactMap { $0 }
    if let keeper = secure?.keeper {
      keeper.watch()
      running.onHangUp = {
        keeper.reload()
        live.reload()
      }
    } else {
      running.onHangUp = { live.reload() }
    }
    running.onStopped = {
      unlink("\(plan.data)/\(ControlResponder.socketName)")
      service.writeNews()
      child?.end()
    }
    running.onStarted = { service.begin() }
    var lines = announcement(plan, address, secure, child: child, base: base, store: store, service)
    if let operations { lines.insert("metrics at http://\(operations.address.connectable)/metrics", at: 1) }
    try running.run(announcing: lines)
  }

  /// Takes writing commands on a socket in the data folder; a path too long for one costs only that.
  private static func controlServer(
    _ store: CatalogStore, _ service: ShopService, _ loop: EventLoop, _ logWriter: LogWriter, data: String
  ) -> Server? {
    do throws(NetError) {
      let socket = try ListeningSocket.listen(atPath: "\(data)/\(ControlResponder.socketName)")
      var options = Server.Options()
      options.limits = ControlResponder.limits
      return Server(
        on: [socket], loops: [loop], responder: ControlResponder(store: store, shop: service, program: Banchan.version),
        options: options,
        logWriter: logWriter)
    } catch {
      logWriter.write("commands that write must wait until this server stops: no control socket (\(error))")
      return nil
    }
  }

  private static func fillIfEmpty(
    _ store: CatalogStore, in data: String, from seed: String
  ) throws(CommandFailure) -> ImportSummary? {
    guard store.version == 0 else { return nil }
    let path = ShopFiles.seedFile(seed)
    guard Paths.exists(path) else {
      throw .failed(
        "the data folder \(data) is empty and there is no \(path) to fill it from; "
          + "name a seed folder with --seed, or import a catalog with `banchan import FILE --data \(data)`")
    }
    return try ShopFiles.importSeed(try ShopFiles.readSeed(path), into: store)
  }

  static func demoOrigin(
    _ plan: Plan, _ logWriter: LogWriter, logsRequests: Bool
  ) throws(CommandFailure) -> DemoOriginChild? {
    guard plan.originBase == nil, !plan.isOffline, Paths.isFolder(plan.seed) else { return nil }
    return try DemoOriginChild.start(folder: plan.seed, logWriter: logWriter, logsRequests: logsRequests)
  }

  /// How a plan has pictures fetched and kept.
  static func library(_ plan: Plan, _ base: OriginURL?) -> PictureLibrary.Configuration {
    var library = PictureLibrary.Configuration(cache: plan.cache)
    library.cacheSize = plan.cacheSize
    library.minimumFree = plan.minimumFree
    library.originBase = base
    library.allowedOrigins = plan.allowedOrigins
    library.isOffline = plan.isOffline
    library.freshness = plan.freshness
    let memory = MemoryBounds(loops: plan.threads)
    library.memorySize = memory.pictures
    library.deriving = Installation.worker.map {
      DerivingConfiguration(executable: $0, workers: memory.workers, pictureBytes: memory.pictureInWorker)
    }
    library.userAgent = "banchan/\(Banchan.version)"
    return library
  }

  /// The shop as a plan has it; `report` takes lines for the operator.
  static func makeService(
    _ plan: Plan, _ store: CatalogStore, _ base: OriginURL?, _ address: SocketAddress, _ loop: EventLoop,
    securePort: UInt16? = nil, _ metrics: MetricRegistry = MetricRegistry(), withPictures: Bool = true,
    report: @escaping @Sendable (String) -> Void
  ) throws(CommandFailure) -> ShopService {
    var library = library(plan, base)
    library.metrics = metrics
    var configuration = ShopService.Configuration(
      library: withPictures ? library : nil, publicURL: plan.publicURL, surfaces: plan.surfaces,
      address: address)
    configuration.development = plan.development
    configuration.mounts = plan.mounts
    configuration.warmsPictures = plan.warmsPictures
    if plan.tls?.redirects == true { configuration.transport.redirectPort = securePort }
    configuration.metrics = metrics
    configuration.version = Banchan.version
    configuration.transport.strictSeconds = plan.tls?.strictSeconds
    configuration.pages = try ShopFiles.readPages(plan.pages)
    do {
      return try ShopService(configuration, store: store, loop: loop, report: report)
    } catch {
      throw .failed("\(error)")
    }
  }

  private static func announcement(
    _ plan: Plan, _ address: SocketAddress, _ secure: SecureListener?, child: DemoOriginChild?, base: OriginURL?,
    store: CatalogStore,
    _ service: ShopService
  ) -> [String] {
    let url = "http://\(address.connectable)"
    var lines = ["listening on \(url)"]
    if let secure {
      lines.append("listening on https://\(secure.address.connectable)")
      lines += secure.advice
    }
    if plan.isOffline {
      lines.append("offline: no origin is contacted")
    } else if let child {
      lines.append("pictures come from \(child.base)")
    } else if let base {
      lines.append("pictures come from \(base)")
    }
    lines.append("the catalog has \(store.snapshot.products.count) products (version \(store.version)); look at:")
    lines.append("  \(url)/api/v1/catalog")
    lines += service.examplePaths.map { "  \(url)\($0)" }
    return lines
  }
}
