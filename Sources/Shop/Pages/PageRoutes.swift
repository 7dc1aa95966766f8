import Catalog
import HTTP

/// The routes of the pages: every public file under its own address, and the storefront at those of the shop's things.
struct PageRoutes: Sendable {
  let folder: PublicFolder
  let store: CatalogStore
  let mounts: [SurfaceMount]

  /// The routes; `others` are all that are served besides.
  /// - Throws: `taken` when a file would stand at an address that answers something else.
  func routes(beside others: [Route]) throws(PublicFolderFault) -> [Route] {
    let things = storefront
    let patterns = Set((others + things).filter { $0.method == .get }.map(\.pattern))
    var routes = things
    for file in folder.files.values.map(withSurfaces) {
      guard !patterns.contains(file.path) else { throw .taken(file: file.name, route: file.path) }
      routes.append(
        Route(.get, file.path, isExact: !file.isIndex) { (request) throws(Problem) in
          try file.response(to: request.request.head)
        })
    }
    return routes
  }

  /// The file as it is served: the document of the API tells of the surfaces that there are.
  private func withSurfaces(_ file: PublicFile) -> PublicFile {
    guard file.name == OpenAPIDocument.fileName else { return file }
    let document = OpenAPIDocument(String(decoding: file.identity.bytes, as: UTF8.self), mounts: mounts)
    return PublicFile(name: file.name, bytes: Array(document.text.utf8), changedAt: file.changedAt.seconds)
  }

  /// One page shows everything: which product it is about, it reads from its own address. That a thing does not exist is
  /// said by the status, for whoever reads that, and on the page.
  private var storefront: [Route] {
    guard let page = folder.files["index.html"] else { return [] }
    let isKnown: [(pattern: String, isKnown: @Sendable (CatalogSnapshot, String) -> Bool)] = [
      ("/products/{id}", { snapshot, id in (try? ProductID(id)).flatMap { snapshot.product($0) } != nil }),
      ("/collections/{id}", { snapshot, id in snapshot.collections.contains { $0.collection.id.text == id } }),
    ]
    return isKnown.map { pattern, isKnown in
      Route(.get, pattern) { [store] (request) throws(Problem) in
        let exists = isKnown(store.snapshot, String(decoding: request.id, as: UTF8.self))
        return try page.response(to: request.request.head, status: exists ? .ok : .notFound)
      }
    }
  }
}
