import Metrics

/// What the picture library counts.
struct PictureTally: Sendable {
  /// How a request for a picture went. A loop that has kept the answer gives it again without asking here.
  enum Lookup: String, CaseIterable {
    case hit
    /// Stored, and no longer fresh.
    case stale
    case miss
    /// Another request was fetching it already.
    case collapsed
    /// It failed a moment ago, and is not asked for again yet.
    case knownFailure = "known_failure"
    /// It is not stored, and no origin is contacted.
    case offline
    /// Too much is waiting for its origin.
    case busy
  }

  /// How a fetch from an origin ended.
  enum Fetch: String, CaseIterable {
    case stored, passed
    case notFound = "not_found"
    case unreachable, timeout, broken, busy
    case notAPicture = "not_a_picture"
    case tooLarge = "too_large"
    case other

    init(_ failure: PictureFailure) {
      switch failure {
      case .notFound, .gone: self = .notFound
      case .unreachable, .forbiddenAddress: self = .unreachable
      case .timedOut: self = .timeout
      case .broken, .unusable: self = .broken
      case .busy: self = .busy
      case .notAPicture, .unsupported: self = .notAPicture
      case .tooLarge: self = .tooLarge
      default: self = .other
      }
    }
  }

  let lookups: CounterSet<Lookup>
  private let fetches: CounterSet<Fetch>
  private let latency: Histogram
  private let bytes: Counter

  init(in registry: MetricRegistry) {
    lookups = registry.counters(
      "banchan_picture_lookups_total", by: "result", of: Lookup.self,
      help: "Requests for pictures that reached the library, by how they went; answers that a loop had kept do not.")
    fetches = registry.counters(
      "banchan_origin_fetches_total", by: "result", of: Fetch.self, help: "Fetches from origins, by how they ended.")
    latency = registry.histogram(
      "banchan_origin_fetch_duration_seconds", .waits, help: "Fetches from origins, from connecting to the last byte.")
    bytes = registry.counter("banchan_origin_received_bytes_total", help: "Bytes of pictures that origins sent.")
  }

  /// Counts a fetch that has ended.
  func note(_ result: Result<PictureFetch.Arrival, PictureFailure>, microseconds: Int64) {
    latency.note(microseconds: microseconds)
    switch result {
    case .success(let arrival):
      fetches.add(arrival.isStored ? .stored : .passed)
      bytes.add(UInt64(max(0, arrival.record.bytes)))
    case .failure(let failure): fetches.add(Fetch(failure))
    }
  }
}
