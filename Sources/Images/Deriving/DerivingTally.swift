import CLinux
import Metrics

/// What is counted of the making of sizes.
struct DerivingTally: Sendable {
  /// How a job for a worker ended.
  enum Outcome: String, CaseIterable {
    case made
    /// The picture is none that sizes can be made of.
    case refused
    /// Its worker ended over it, or took too long.
    case lost
    /// Too many were waiting.
    case busy
    /// No worker can be started.
    case unavailable

    init(_ result: Result<DerivedPictures, DerivingFailure>) {
      switch result {
      case .success: self = .made
      case .failure(.refused): self = .refused
      case .failure(.lost): self = .lost
      case .failure(.busy): self = .busy
      case .failure(.unavailable): self = .unavailable
      }
    }
  }

  private let outcomes: CounterSet<Outcome>
  private let duration: Histogram

  init(in registry: MetricRegistry) {
    outcomes = registry.counters(
      "banchan_picture_derivations_total", by: "result", of: Outcome.self,
      help: "Pictures given to a worker to make sizes of, by how that ended.")
    duration = registry.histogram(
      "banchan_picture_derivation_duration_seconds", .waits,
      help: "From wanting sizes of a picture to having them, the wait for a worker included.")
  }

  /// Counts a job.
  func note(
    _ work: () async -> Result<DerivedPictures, DerivingFailure>
  ) async -> Result<DerivedPictures, DerivingFailure> {
    let started = clinux_monotonic_microseconds()
    let result = await work()
    outcomes.add(Outcome(result))
    duration.note(microseconds: clinux_monotonic_microseconds() - started)
    return result
  }
}
