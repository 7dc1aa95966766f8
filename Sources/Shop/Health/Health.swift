import HTTP
import JSON
import Server
import Synchronization

/// Whether the shop is alive, and whether it is ready for customers.
final class Health: Sendable {
  /// What `/readyz` says. A degraded shop serves all it has, but not everything as it should: traffic may come.
  enum State: String, CaseIterable {
    case ready, degraded, down
  }

  /// Looks at one part of the shop: a sentence on each thing that is wrong with it.
  typealias Check = @Sendable () -> [String]

  private let checks: [Check]
  private let isStopping = Atomic(false)

  /// - Parameter checks: what degrades the shop. They are asked at each `/readyz`, and must not block.
  init(checks: [Check]) {
    self.checks = checks
  }

  /// From now on the shop is not ready: traffic should go elsewhere.
  func beginStopping() {
    isStopping.store(true, ordering: .releasing)
  }

  /// The state, and the reasons for it.
  var readiness: (state: State, reasons: [String]) {
    if isStopping.load(ordering: .acquiring) { return (.down, ["The server is shutting down."]) }
    let reasons = checks.flatMap { $0() }
    return (reasons.isEmpty ? .ready : .degraded, reasons)
  }

  var routes: [Route] {
    [
      Route(.get, "/livez") { _ in Self.answer(.ok, status: "alive", reasons: []) },
      Route(.get, "/readyz") { [self] _ in
        let (state, reasons) = readiness
        return Self.answer(state == .down ? .serviceUnavailable : .ok, status: state.rawValue, reasons: reasons)
      },
    ]
  }

  private static func answer(_ code: Status, status: String, reasons: [String]) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("status", status)
      writer.member("reasons", reasons)
    }
    var response = Response(code, body: .bytes(writer.bytes))
    response.add(.contentType, "application/json")
    response.add(.cacheControl, "no-store")
    response.isProbe = true
    return response
  }
}
