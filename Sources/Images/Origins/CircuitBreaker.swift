import CLinux
import Client
import Synchronization

/// Leaves an origin alone that fails again and again, and finds out with one request at a time whether it is back.
///
/// So many failures in a row open the circuit: nobody is let through for a while. Then one is, as a probe: its success
/// closes the circuit, its failure opens it for twice as long. An origin that asks to be left alone (`Retry-After`) is, for
/// as long as it says.
final class CircuitBreaker: Sendable {
  /// How patient it is. Times are in milliseconds.
  struct Settings: Sendable {
    /// Failures in a row that open a circuit.
    var failures = 5
    /// The first pause, which doubles with each probe that fails.
    var firstPause: Int64 = 10_000
    /// No pause is longer, asked for or not.
    var longestPause: Int64 = 300_000
  }

  /// What a request said of its origin.
  enum Verdict: Equatable, Sendable {
    /// It is there and answers, if only with a 404.
    case alive
    /// It does not answer, or not with anything that holds.
    case failing
    /// It asks to be left alone for so many seconds.
    case busy(seconds: Int)
    /// Nothing: the request did not get as far.
    case unknown
  }

  /// Whether a request may go.
  enum Admission: Equatable, Sendable {
    case admitted(isProbe: Bool)
    /// Not before so many seconds.
    case refused(retryAfter: Int)
  }

  private struct Circuit {
    var failures = 0
    var pause: Int64 = 0
    /// Until when nobody is let through; nil while the circuit is closed.
    var openUntil: Int64?
    var isProbing = false
  }

  private let circuits = Mutex<[Origin: Circuit]>([:])
  private let settings: Settings
  private let now: @Sendable () -> Int64
  private let log: @Sendable (String) -> Void

  /// Circuits that are remembered; beyond that, those whose pause is over are forgotten.
  private static let limit = 1_024

  /// - Parameters:
  ///   - now: the clock, in milliseconds.
  ///   - log: takes a line when a circuit opens and when it closes.
  init(
    _ settings: Settings = Settings(), now: @escaping @Sendable () -> Int64 = { clinux_monotonic_milliseconds() },
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.settings = settings
    self.now = now
    self.log = log
  }

  /// Asks to go. Who is admitted must ``settle(_:for:isProbe:)`` afterwards.
  func admission(to origin: Origin) -> Admission {
    let now = now()
    return circuits.withLock { circuits in
      guard let openUntil = circuits[origin]?.openUntil else { return .admitted(isProbe: false) }
      guard openUntil <= now else { return .refused(retryAfter: Self.seconds(openUntil - now)) }
      guard circuits[origin]?.isProbing == false else { return .refused(retryAfter: 1) }
      circuits[origin]?.isProbing = true
      return .admitted(isProbe: true)
    }
  }

  /// Seconds until an origin may be asked again; nil when it may be now. Unlike ``admission(to:)`` this changes nothing.
  func pause(of origin: Origin) -> Int? {
    let now = now()
    return circuits.withLock { circuits in
      guard let circuit = circuits[origin], let openUntil = circuit.openUntil else { return nil }
      if openUntil > now { return Self.seconds(openUntil - now) }
      return circuit.isProbing ? 1 : nil
    }
  }

  /// The origins whose circuits are open, and for how many seconds more; 0 while one is being probed.
  var open: [(origin: Origin, seconds: Int)] {
    let now = now()
    return circuits.withLock { circuits in
      circuits.compactMap { origin, circuit in
        circuit.openUntil.map { (origin, $0 > now ? Self.seconds($0 - now) : 0) }
      }
    }
  }

  /// Takes in how a request went.
  func settle(_ verdict: Verdict, for origin: Origin, isProbe: Bool) {
    let now = now()
    let line: String? = circuits.withLock { circuits in
      if isProbe { circuits[origin]?.isProbing = false }
      switch verdict {
      case .unknown:
        return nil
      case .alive:
        let former = circuits.removeValue(forKey: origin)
        return former?.openUntil == nil ? nil : "\(origin) answers again"
      case .busy(let seconds):
        var circuit = circuits[origin] ?? Circuit()
        let until = now + min(settings.longestPause, Int64(seconds) * 1_000)
        let isNews = circuit.openUntil == nil
        circuit.openUntil = max(until, circuit.openUntil ?? until)
        Self.keep(circuit, for: origin, in: &circuits, now: now)
        return isNews ? "\(origin) asks to be left alone for \(seconds) s" : nil
      case .failing:
        var circuit = circuits[origin] ?? Circuit()
        circuit.failures += 1
        // What was under way when the circuit opened says nothing new.
        let mustOpen = circuit.openUntil == nil ? circuit.failures >= settings.failures : isProbe
        if mustOpen {
          circuit.pause = min(settings.longestPause, max(settings.firstPause, circuit.pause * 2))
          circuit.openUntil = now + circuit.pause
        }
        Self.keep(circuit, for: origin, in: &circuits, now: now)
        guard mustOpen else { return nil }
        return "\(origin) fails (\(circuit.failures) times in a row); it is left alone for \(circuit.pause / 1_000) s"
      }
    }
    if let line { log("images: \(line)") }
  }

  private static func keep(_ circuit: Circuit, for origin: Origin, in circuits: inout [Origin: Circuit], now: Int64) {
    if circuits[origin] == nil, circuits.count >= limit {
      circuits = circuits.filter { ($0.value.openUntil ?? 0) > now }
    }
    circuits[origin] = circuit
  }

  /// Whole seconds, at least one.
  private static func seconds(_ milliseconds: Int64) -> Int { Int(clamping: max(1, (milliseconds + 999) / 1_000)) }
}
