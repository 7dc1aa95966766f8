import Images
import Metrics

/// What the picture library tells of this moment: the cache, the origins, the workers.
enum PictureMetrics {
  static func register(in registry: MetricRegistry, library: PictureLibrary) {
    registerCache(in: registry, library)
    registerOrigins(in: registry, library)
    registry.gauge("banchan_picture_workers_busy", help: "Pictures that workers make sizes of.") {
      library.statistics.deriving.map { Double($0.working) }
    }
    registry.gauge("banchan_picture_workers_waiting", help: "Pictures that wait for a worker.") {
      library.statistics.deriving.map { Double($0.waiting) }
    }
    registry.gauge("banchan_picture_workers_failing", help: "1 while no sizes are made, although they should be.") {
      library.derivingTrouble == nil ? 0 : 1
    }
  }

  private static func registerCache(in registry: MetricRegistry, _ library: PictureLibrary) {
    registry.gauge("banchan_cache_used_bytes", help: "What the cache takes of its disk, all its files included.") {
      library.statistics.disk.map { Double($0.used) }
    }
    registry.gauge("banchan_cache_limit_bytes", help: "What the cache may take of its disk.") {
      library.statistics.disk.map { Double($0.limit) }
    }
    registry.gauge("banchan_cache_memory_bytes", help: "Bodies of pictures that are held in memory.") {
      Double(library.statistics.memoryBytes)
    }
    registry.gauges(
      "banchan_cache_stored_bytes",
      help: "Stored bodies by what they are for: pinned ones are shown by a product, and go last."
    ) { samples in
      for (rank, stored) in ranks(library) { samples.add(Double(stored.stored.bytes), [("kind", rank)]) }
    }
    registry.gauges("banchan_cache_stored_files", help: "How many stored bodies there are.") { samples in
      for (rank, stored) in ranks(library) { samples.add(Double(stored.stored.files), [("kind", rank)]) }
    }
    registry.counters("banchan_cache_evictions_total", help: "Stored bodies that went to make room for others.") {
      samples in
      for (rank, stored) in ranks(library) { samples.add(UInt64(max(0, stored.evictions)), [("kind", rank)]) }
    }
    registry.gauge("banchan_cache_storing", help: "1 while pictures are stored, 0 while they are only passed on.") {
      library.degradation == nil ? 1 : 0
    }
    registry.gauge("banchan_cache_crowded", help: "1 when what products show found no room together.") {
      library.statistics.isCrowded ? 1 : 0
    }
  }

  private static func registerOrigins(in registry: MetricRegistry, _ library: PictureLibrary) {
    registry.gauge("banchan_origin_fetches_active", help: "Fetches from origins under way.") {
      Double(library.statistics.origins.active)
    }
    registry.gauge("banchan_origin_fetches_waiting", help: "Fetches that wait for their turn at an origin.") {
      Double(library.statistics.origins.waiting)
    }
    registry.gauge(
      "banchan_origins_left_alone", help: "Origins that are not asked for a while, as they failed too often."
    ) {
      Double(library.statistics.origins.leftAlone.count)
    }
  }

  private static func ranks(_ library: PictureLibrary) -> [(String, PictureLibrary.Statistics.Rank)] {
    guard let ranks = library.statistics.disk?.ranks else { return [] }
    return BodyRank.allCases.compactMap { rank in ranks[rank].map { (name(of: rank), $0) } }
  }

  private static func name(of rank: BodyRank) -> String {
    switch rank {
    case .loose: "loose"
    case .derived: "derived"
    case .original: "original"
    case .pinned: "pinned"
    }
  }
}
