import Catalog
import HTTP
import JSON
import Text

/// Answers `/api/v1/events`: what happens in the shop, as server-sent events.
struct EventEndpoint: Sendable {
  let hub: EventHub

  var route: Route {
    Route(.get, "/api/v1/events", query: .only([])) { (request) throws(Problem) in
      let stream = try listen(after: request.request.head.values(of: .lastEventID).first)
      var response = Response(.ok, body: .stream(stream))
      response.add(.contentType, "text/event-stream")
      // Neither kept, nor compressed or gathered by a proxy on the way.
      response.add(.cacheControl, "no-store, no-transform")
      response.add(.xAccelBuffering, "no")
      response.add(.xContentTypeOptions, "nosniff")
      return response
    }
  }

  private func listen(after lastID: [UInt8]?) throws(Problem) -> EventStream {
    do throws(EventHub.Refusal) {
      return try hub.listen(after: lastID)
    } catch {
      var problem = Problem(error == .ended ? .shuttingDown : .overloaded)
      problem.retryAfter = 10
      throw problem
    }
  }
}

extension LiveEvent {
  /// The catalog as it stands; its version is the event's id.
  static func catalog(_ snapshot: CatalogSnapshot) -> LiveEvent {
    var json = JSONWriter()
    json.object { json in
      json.member("version", snapshot.version)
      json.key("publishedAt")
      json.writePlain { Timestamp.appendRFC3339(snapshot.publishedAt, to: &$0) }
    }
    return LiveEvent(.catalog, id: "\(snapshot.version)", json: json.bytes)
  }
}
