import Client
import Net

/// The way to the origins: past the circuit breaker and through the gate.
final class OriginAccess: Sendable {
  private let gate: OriginGate
  private let breaker: CircuitBreaker

  init(gate: OriginGate, breaker: CircuitBreaker) {
    self.gate = gate
    self.breaker = breaker
  }

  /// How the origins are, for metrics and readiness.
  var state: OriginsState {
    let load = gate.load
    return OriginsState(
      active: load.active, waiting: load.waiting,
      leftAlone: breaker.open.map { OriginsState.LeftAlone(origin: $0.origin, seconds: $0.seconds) })
  }

  /// Seconds until an origin is asked again; nil when it is now.
  func pause(of origin: Origin) -> Int? { breaker.pause(of: origin) }

  /// Runs `work`, which asks `origin`, when that is let through and it is its turn.
  ///
  /// - Returns: what `work` did; nil with the seconds to wait when it was not run.
  func pass<Value: Sendable>(
    to origin: Origin, on loop: EventLoop, _ work: () async -> Result<Value, PictureFailure>
  ) async -> OriginAnswer<Value> {
    // Nobody stands in line for an origin that is left alone.
    if let seconds = breaker.pause(of: origin) { return .refused(retryAfter: seconds) }
    let answer: OriginAnswer<Value>? = await gate.pass(to: origin, on: loop) {
      switch breaker.admission(to: origin) {
      case .refused(let seconds):
        return .refused(retryAfter: seconds)
      case .admitted(let isProbe):
        let result = await work()
        breaker.settle(result.verdict, for: origin, isProbe: isProbe)
        return .asked(result)
      }
    }
    return answer ?? .refused(retryAfter: 1)
  }
}

/// What came of the wish to ask an origin.
enum OriginAnswer<Value: Sendable>: Sendable {
  case asked(Result<Value, PictureFailure>)
  /// It was not asked, and is not to be for so many seconds.
  case refused(retryAfter: Int)
}

/// How the origins of pictures are doing.
public struct OriginsState: Equatable, Sendable {
  /// An origin that failed again and again, or asked to be left alone.
  public struct LeftAlone: Equatable, Sendable {
    /// Which.
    public let origin: Origin
    /// For how many seconds more; 0 while it is being probed.
    public let seconds: Int
  }

  /// How many fetches are under way.
  public let active: Int
  /// How many wait for their turn.
  public let waiting: Int
  /// The origins that are left alone now.
  public let leftAlone: [LeftAlone]
}

extension Result where Failure == PictureFailure {
  /// What the outcome of a fetch says of the origin.
  fileprivate var verdict: CircuitBreaker.Verdict {
    switch self {
    case .success: .alive
    case .failure(let failure): failure.verdict
    }
  }
}
