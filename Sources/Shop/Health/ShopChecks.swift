import Catalog
import Glibc
import Images

/// What degrades a shop: it serves all it has, but not everything as it should.
///
/// Whoever reaches the shop can read the sentences, so no origin and no path stands in them; the log names those.
enum ShopChecks {
  /// Below so many bytes the next write to the database may find no room.
  private static let leastRoom: UInt64 = 32 << 20

  static func all(store: CatalogStore, library: PictureLibrary?) -> [Health.Check] {
    [{ catalog(store) }, { room(store) }] + (library.map(checks) ?? [])
  }

  private static func checks(of library: PictureLibrary) -> [Health.Check] {
    [
      {
        library.derivingTrouble.map {
          ["Picture sizes are not derived, each size answers with the original: \($0)."]
        } ?? []
      },
      { library.degradation.map { ["Pictures are served, but not stored: \($0)."] } ?? [] },
      {
        library.statistics.isCrowded
          ? ["The pictures that products show need more than the cache may take: raise --cache-size."] : []
      },
      { library.statistics.origins.leftAlone.map(sentence) },
    ]
  }

  private static func sentence(_ origin: OriginsState.LeftAlone) -> String {
    "An origin of pictures fails, and is "
      + (origin.seconds > 0 ? "asked again in \(origin.seconds) s" : "being tried again")
      + "; what is stored is served."
  }

  private static func catalog(_ store: CatalogStore) -> [String] {
    store.snapshot.products.isEmpty ? ["The catalog shows no products: import one."] : []
  }

  private static func room(_ store: CatalogStore) -> [String] {
    guard let folder = store.folder else { return [] }
    var information = statvfs()
    guard statvfs(folder.path, &information) == 0 else {
      return ["The data folder cannot be looked at: \(String(cString: strerror(errno)))."]
    }
    let free = UInt64(information.f_bavail).multipliedReportingOverflow(by: UInt64(information.f_frsize))
    guard !free.overflow, free.partialValue < leastRoom else { return [] }
    return ["The disk of the data folder has \(free.partialValue >> 20) MiB left: make room."]
  }
}
