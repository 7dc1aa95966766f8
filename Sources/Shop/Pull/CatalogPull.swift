import Client
import Images
import JSON
import Net

/// Has a shop in a folder, as an app has it that works without the network: the catalog at once, then each product, then the
/// pictures, those of the lists first.
///
/// It may be stopped at any moment: every file is whole, and the next pull goes on from there. When all is there, a pull asks
/// only what has changed.
public struct CatalogPull: Sendable {
  /// What is to be pulled, and where to.
  public struct Configuration: Sendable {
    /// The shop's address.
    public var shop: OriginURL
    /// The folder; see `PullFolder`.
    public var folder: String
    /// The sizes of each picture. Where the shop does not make one, the original takes its place.
    public var sizes: [PictureSize] = [.thumb, .medium, .large]
    /// Whether the digest of each file in the folder is checked, and not only its length.
    public var checksFiles = false
    /// Milliseconds before what could not be had is asked for again.
    var pause: Int64 = 2_000
    /// What the `User-Agent` field says.
    public var userAgent = "banchan"
    /// Authorities to trust besides the system's: a PEM file.
    public var authorities: String?

    /// The usual sizes of a shop's pictures.
    public init(shop: OriginURL, folder: String) {
      self.shop = shop
      self.folder = folder
    }
  }

  /// How far it is.
  public enum Progress: Sendable {
    /// The lists can be used.
    case catalog(products: Int, version: Int64)
    case products(done: Int, total: Int)
    case pictures(done: Int, total: Int)
  }

  /// How many answers are asked for at a time.
  static let width = 4
  /// After so many questions in a row to which nobody answered, there is nobody.
  static let patience = 4

  let configuration: Configuration
  let folder: PullFolder
  let client: PullClient
  let threads: BlockingThreads

  /// Takes the folder, which is made when it is not there; blocks.
  public init(_ configuration: Configuration, on loop: EventLoop) throws(PullError) {
    self.configuration = configuration
    folder = try PullFolder(configuration.folder)
    threads = BlockingThreads(limit: Self.width)
    let tls: TLSClientContext
    do throws(NetError) { tls = try TLSClientContext(authorities: configuration.authorities) } catch {
      throw .shop("\(error)")
    }
    client = PullClient(configuration.shop, tls: tls, userAgent: configuration.userAgent, on: loop)
  }

  /// Pulls. Runs on the loop that it was made with.
  public func run(progress: @escaping @Sendable (Progress) -> Void) async throws(PullError) -> PullReport {
    let shop = "\(configuration.shop)"
    var state = await read("state.json").flatMap(PullState.init(file:)) ?? PullState(shop: shop)
    guard state.shop == shop else { throw .otherShop(path: folder.path, shop: state.shop) }

    let catalog = try await pullCatalog(&state)
    progress(.catalog(products: catalog.products.count, version: catalog.version))
    var pictures = try await pullManifest()

    var report = PullReport()
    report.version = catalog.version
    report.products = catalog.products.count
    report.pictures = pictures.pictures.count
    try await pullProducts(catalog, into: &report, progress)
    try await pullPictures(&pictures, listed: catalog.pictures, into: &report, progress)
    if report.isComplete { report.removed = await removeOthers(than: catalog, pictures) }
    state.isComplete = report.isComplete
    try await put(state.file, at: "state.json")
    return report
  }

  // MARK: The catalog

  /// Asks for the catalog, and puts it into the folder if it is another one.
  private func pullCatalog(_ state: inout PullState) async throws(PullError) -> PulledCatalog {
    let kept = await read("catalog.json").flatMap(PulledCatalog.init)
    do throws(PullFault) {
      guard let answer = try await client.get("api/v1/catalog", unless: kept == nil ? nil : state.catalogTag) else {
        if let kept { return kept }
        throw .answer("the shop says that nothing changed since nothing")
      }
      guard let catalog = PulledCatalog(answer.body) else { throw .answer("the answer is no catalog of a Banchan") }
      state.catalogTag = answer.tag
      state.isComplete = false
      do throws(PullError) {
        try await put(answer.body, at: "catalog.json")
        try await put(state.file, at: "state.json")
      } catch {
        throw .folder(error)
      }
      return catalog
    } catch {
      throw Self.error(error, about: "\(configuration.shop)api/v1/catalog")
    }
  }

  static func error(_ fault: PullFault, about what: String) -> PullError {
    if case .folder(let error) = fault { return error }
    return .shop("\(what): \(fault)")
  }

  // MARK: Products

  /// Has each product's own answer in the folder, of the catalog's version.
  private func pullProducts(
    _ catalog: PulledCatalog, into report: inout PullReport, _ progress: (Progress) -> Void
  ) async throws(PullError) {
    let total = catalog.products.count
    var done = 0
    var silences = 0
    var rest = catalog.products[...]
    var failures: [(name: String, reason: String)] = []
    await withTaskGroup(of: (String, PullFault?).self) { group in
      func start() {
        guard silences < Self.patience, let id = rest.popFirst() else { return }
        group.addTask { (id.text, await pullProduct(id.text, version: catalog.version)) }
      }
      for _ in 0..<Self.width { start() }
      while let (id, fault) = await group.next() {
        if let fault { failures.append((id, "\(fault)")) }
        silences = fault?.isSilence == true ? silences + 1 : 0
        done += 1
        progress(.products(done: done, total: total))
        start()
      }
    }
    report.failures += failures.sorted { $0.name < $1.name }
    report.isCutShort = silences >= Self.patience
  }

  private func pullProduct(_ id: String, version: Int64) async -> PullFault? {
    let name = "products/\(id).json"
    if let kept = await read(name), let value = try? JSONValue(parsing: kept), value["version"]?.integer ?? 0 >= version
    {
      return nil
    }
    do throws(PullFault) {
      guard let answer = try await client.get("api/v1/products/\(id)") else { return nil }
      guard (try? JSONValue(parsing: answer.body))?["product"]?["id"]?.text == id else {
        throw .answer("the answer is not this product")
      }
      do throws(PullError) { try await put(answer.body, at: name) } catch { throw .folder(error) }
      return nil
    } catch {
      return error
    }
  }

  // MARK: The folder

  /// Removes what the shop no longer shows.
  private func removeOthers(than catalog: PulledCatalog, _ pictures: PulledPictures) async -> Int {
    let products = Set(catalog.products.map { "\($0.text).json" })
    let files = Set(pictures.pictures.values.flatMap { $0.files.values.map(\.name.description) })
    return await threads.run { [folder] in
      let outdated =
        folder.names(in: "products").filter { !products.contains($0) }.map { "products/\($0)" }
        + folder.names(in: "pictures").filter { !files.contains($0) }.map { "pictures/\($0)" }
      for name in outdated { folder.remove(name) }
      return outdated.count
    }
  }

  func read(_ name: String) async -> [UInt8]? { await threads.run { [folder] in folder.read(name) } }

  func put(_ bytes: [UInt8], at name: String) async throws(PullError) {
    try await threads.run { [folder] () throws(PullError) in try folder.put(bytes, at: name) }
  }
}
