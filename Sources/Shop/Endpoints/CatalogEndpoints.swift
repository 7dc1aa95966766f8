import Catalog
import HTTP
import Net
import Server

/// The routes that show the catalog as JSON: the native API, and the compatible surfaces.
struct CatalogEndpoints: Sendable {
  let store: CatalogStore
  let bases: PublicBases
  /// Where large answers are put together.
  let threads: BlockingThreads
  let native = NativeView()
  let representations = Representations()

  /// Makes the body of an answer; nil when there is nothing to show.
  typealias Rendering = @Sendable (CatalogSnapshot, PublicBase) -> [UInt8]?

  /// With more products than this, rendering and compressing take longer than a loop should be held up.
  private static let productsOnLoop = 256

  /// The native API's routes.
  var routes: [Route] {
    [
      route("/api/v1/catalog") { snapshot, base, _ in native.catalog(snapshot, base: base) },
      route("/api/v1/sections") { snapshot, base, _ in native.sections(snapshot, base: base) },
      route("/api/v1/sections/{id}") { snapshot, base, id in native.section(id, snapshot, base: base) },
      route("/api/v1/products/{id}") { snapshot, base, id in native.product(id, snapshot, base: base) },
    ]
  }

  private func route(
    _ pattern: String, render: @escaping @Sendable (CatalogSnapshot, PublicBase, [UInt8]) -> [UInt8]?
  ) -> Route {
    Route(.get, pattern, query: .only([])) { [self] (request) throws(Problem) in
      try await answer(request) { snapshot, base in render(snapshot, base, request.id) }
    }
  }

  /// An answer rendered from the current snapshot, in the coding that the request accepts best.
  func answer(_ request: RoutedRequest, _ render: @escaping Rendering) async throws(Problem) -> Response {
    guard let coding = request.request.head.acceptedCoding else { throw Problem(.notAcceptable) }
    let snapshot = store.snapshot
    let key = Representations.Key(
      path: request.request.head.path, base: bases.base(for: request.request), coding: coding)
    if let kept = representations.find(key, version: snapshot.version) { return response(kept, snapshot) }
    guard let made = await make(key, snapshot, render) else { throw Problem(.notFound) }
    representations.keep(made, for: key, version: snapshot.version)
    return response(made, snapshot)
  }

  private func make(
    _ key: Representations.Key, _ snapshot: CatalogSnapshot, _ render: @escaping Rendering
  ) async -> Representation? {
    let work: @Sendable () -> Representation? = {
      render(snapshot, key.base).map { Representation($0, coding: key.coding) }
    }
    guard snapshot.products.count > Self.productsOnLoop else { return work() }
    return await threads.run(work)
  }

  private func response(_ representation: Representation, _ snapshot: CatalogSnapshot) -> Response {
    var response = Response(.ok, body: .bytes(representation.bytes))
    response.add(.contentType, "application/json")
    if representation.coding == .gzip { response.add(.contentEncoding, "gzip") }
    response.add(.cacheControl, "public, max-age=0, must-revalidate")
    response.entityTag = representation.entityTag
    response.lastModified = HTTPDate(seconds: snapshot.publishedAt)
    response.varies = .acceptEncoding
    response.acceptsRanges = true
    response.isReusable = true
    return response
  }
}
