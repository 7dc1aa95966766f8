import HTTP
import Metrics
import Server

/// What operators ask, on a listener of their own: `/metrics`, `/livez` and `/readyz`.
public final class OperationsService: Responder {
  /// Never moves: nothing here is kept.
  public let generation = Generation()
  private let router: Router

  init(metrics: MetricRegistry, health: Health) throws(RouteClash) {
    router = try Router(
      health.routes + [
        Route(.get, "/metrics") { _ in
          var response = Response(.ok, body: .bytes(metrics.text()))
          response.add(.contentType, MetricRegistry.contentType)
          response.add(.cacheControl, "no-store")
          return response
        }
      ])
  }

  /// Answers any request; a problem when no endpoint does.
  public func respond(to request: Request) async -> Response { await router.respond(to: request) }

  /// The problem for what the server refuses by itself.
  public func response(to refusal: Refusal, head: RequestHead?) -> Response { refusal.problem.response(to: head) }
}
