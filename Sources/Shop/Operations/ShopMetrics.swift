import Catalog
import CLinux
import Glibc
import Metrics

/// What the shop itself tells: its catalog, its database, whether it is ready.
enum ShopMetrics {
  static func register(in registry: MetricRegistry, store: CatalogStore, health: Health) {
    registry.gauge("banchan_catalog_version", help: "The version of the catalog that is served.") {
      Double(store.version)
    }
    registry.gauge("banchan_catalog_changed_timestamp_seconds", help: "When it was published, in seconds since 1970.") {
      Double(store.snapshot.publishedAt)
    }
    registry.gauge("banchan_catalog_age_seconds", help: "How long it has been served.") {
      Double(max(0, clinux_wall_seconds() - store.snapshot.publishedAt))
    }
    registry.gauge("banchan_catalog_products", help: "Products that are shown.") {
      Double(store.snapshot.products.count)
    }
    registry.gauge("banchan_catalog_pictures", help: "Pictures that the catalog refers to.") {
      Double(store.snapshot.pictures.count)
    }
    registry.gauge("banchan_database_bytes", help: "The size of the shop's database.") {
      store.folder.flatMap { size(of: "\($0.path)/\(CatalogStore.fileName)") }
    }
    registry.gauges("banchan_readiness", help: "1 for the state that /readyz tells, 0 for the others.") { samples in
      let current = health.readiness.state
      for state in Health.State.allCases { samples.add(state == current ? 1.0 : 0.0, [("state", state.rawValue)]) }
    }
  }

  private static func size(of path: String) -> Double? {
    var information = stat()
    return stat(path, &information) == 0 ? Double(information.st_size) : nil
  }
}
