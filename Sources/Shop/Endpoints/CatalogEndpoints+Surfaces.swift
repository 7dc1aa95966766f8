import Catalog

extension CatalogEndpoints {
  /// The routes of a compatible surface at its place. Query parameters are ignored.
  func routes(of mount: SurfaceMount) -> [Route] {
    mount.paths.map { path in
      Route(.get, path.pattern) { [self] (request) throws(Problem) in
        try await answer(request) { snapshot, base in
          mount.surface.render(path.answer, parameters: request.parameters, snapshot, base: base)
        }
      }
    }
  }
}
