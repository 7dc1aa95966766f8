import Glibc
import Synchronization

/// Draws what a plan leaves to chance. With a seed, the nth request of a plan always draws the same.
final class FaultDice: Sendable {
  /// What was drawn for one request.
  struct Throw: Equatable {
    /// Whether the plan strikes at all.
    let strikes: Bool
    /// Milliseconds.
    let latency: Int64
  }

  /// How often each plan with a seed was drawn from. Bounded: whoever sends more plans than that begins anew.
  private let counts = Mutex<[String: UInt64]>([:])
  private static let limit = 1_024

  func draw(for plan: FaultPlan) -> Throw {
    var generator = RepeatableGenerator(state: UInt64.random(in: 0...UInt64.max))
    if let seed = plan.seed {
      let number = counts.withLock { counts in
        if counts.count >= Self.limit, counts[plan.text] == nil { counts = [:] }
        defer { counts[plan.text, default: 0] &+= 1 }
        return counts[plan.text, default: 0]
      }
      generator = RepeatableGenerator(state: seed &+ number &* 0x9E37_79B9_7F4A_7C15)
    }
    // Both are drawn each time, so that what one draw is does not depend on another.
    let strikes = Double.random(in: 0..<1, using: &generator) < plan.rate
    let latency = Self.milliseconds(plan.latency, using: &generator)
    return Throw(strikes: strikes, latency: strikes ? Int64(min(latency, 60_000)) : 0)
  }

  private static func milliseconds(
    _ latency: FaultPlan.Latency?, using generator: inout RepeatableGenerator
  ) -> Double {
    switch latency {
    case nil: return 0
    case .fixed(let time): return time
    case .uniform(let range): return Double.random(in: range, using: &generator)
    case .logNormal(let median, let sigma):
      // Box and Muller's way to a normal deviate.
      let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &generator))).squareRoot()
      let normal = radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
      return median * exp(sigma * normal)
    }
  }
}

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): small, and the same everywhere.
struct RepeatableGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(state: UInt64) { self.state = state }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
