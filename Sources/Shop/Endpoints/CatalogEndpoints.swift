import Catalog
import HTTP
import Images
import Server

/// The routes that show the catalog as JSON: the native API, and the compatible surfaces.
struct CatalogEndpoints: Sendable {
  let store: CatalogStore
  let bases: PublicBases
  let native = NativeView()

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
      try answer(request) { snapshot, base in render(snapshot, base, request.id) }
    }
  }

  /// An answer rendered from the current snapshot; 404 when there is nothing to render.
  func answer(
    _ request: RoutedRequest, _ render: (CatalogSnapshot, PublicBase) -> [UInt8]?
  ) throws(Problem) -> Response {
    let snapshot = store.snapshot
    guard let body = render(snapshot, bases.base(for: request.request)) else { throw Problem(.notFound) }
    var response = Response(.ok, body: .bytes(body))
    response.add(.contentType, "application/json")
    response.add(.cacheControl, "public, max-age=0, must-revalidate")
    response.entityTag = EntityTag(strong: Array(Digest.of(body).hex.utf8.prefix(32)))
    response.lastModified = HTTPDate(seconds: snapshot.publishedAt)
    response.varies = .acceptEncoding
    response.acceptsRanges = true
    response.isReusable = true
    return response
  }
}
