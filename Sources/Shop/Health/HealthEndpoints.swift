import HTTP
import Images
import JSON
import Synchronization

/// Whether the shop is alive, and whether it is ready for customers.
final class Health: Sendable {
  private let library: PictureLibrary?
  private let isStopping = Atomic(false)

  init(library: PictureLibrary?) {
    self.library = library
  }

  /// From now on the shop is not ready: traffic should go elsewhere.
  func beginStopping() {
    isStopping.store(true, ordering: .releasing)
  }

  var routes: [Route] {
    [
      Route(.get, "/livez") { _ in Self.answer(.ok, status: "alive", reasons: []) },
      Route(.get, "/readyz") { [self] _ in readiness() },
    ]
  }

  private func readiness() -> Response {
    if isStopping.load(ordering: .acquiring) {
      return Self.answer(.serviceUnavailable, status: "down", reasons: ["The server is shutting down."])
    }
    var reasons: [String] = []
    if let library {
      if let trouble = library.derivingTrouble {
        reasons.append("Picture sizes are not derived, each size answers with the original: \(trouble).")
      }
      if let trouble = library.degradation { reasons.append(trouble) }
    }
    return Self.answer(.ok, status: reasons.isEmpty ? "ready" : "degraded", reasons: reasons)
  }

  private static func answer(_ code: Status, status: String, reasons: [String]) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("status", status)
      writer.key("reasons")
      writer.array { writer in
        for reason in reasons { writer.write(reason) }
      }
    }
    var response = Response(code, body: .bytes(writer.bytes))
    response.add(.contentType, "application/json")
    response.add(.cacheControl, "no-store")
    return response
  }
}
