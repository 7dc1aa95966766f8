import HTTP
import Metrics
import Net

/// What a server tells of itself: the tallies of its loops, added together at each scrape.
///
/// No label comes from a client: routes are the responder's, methods and status classes closed sets.
struct ServerMetrics: Sendable {
  private let tallies: [LoopTally]
  private let loops: [EventLoop]
  private let routes: [String]

  init(_ tallies: [LoopTally], loops: [EventLoop], routes: [String]) {
    self.tallies = tallies
    self.loops = loops
    self.routes = routes
  }

  func register(in registry: MetricRegistry) {
    registerRequests(in: registry)
    registerConnections(in: registry)
    registry.counters("banchan_http_sent_bytes_total", help: "Bytes of answers, heads included, before TLS.") {
      $0.add(sum(.sentBytes))
    }
    registry.counters("banchan_http_received_bytes_total", help: "Bytes of requests, heads included, after TLS.") {
      $0.add(sum(.receivedBytes))
    }
    registry.histograms(
      "banchan_loop_turn_seconds",
      help: "How long an event loop worked before it looked at its sockets again, to a few milliseconds."
    ) { samples in
      if let reading = total(loops.map(\.turns.reading)) { samples.add(reading) }
    }
    registry.gauge("banchan_loops", help: "Event loops.") { Double(loops.count) }
  }

  private func registerRequests(in registry: MetricRegistry) {
    registry.counters("banchan_http_requests_total", help: "Answers, by route, method and class of status.") {
      samples in
      for (route, name) in routes.enumerated() {
        for method in HTTP.Method.allCases {
          for statusClass in 1...5 {
            let count = tallies.reduce(UInt64(0)) {
              $0 &+ $1.count(route: route, method, statusClass: statusClass)
            }
            guard count > 0 else { continue }
            let methodName = method == .unknown ? "other" : "\(method.name)"
            samples.add(count, [("route", name), ("method", methodName), ("status", "\(statusClass)xx")])
          }
        }
      }
    }
    registry.counters(
      "banchan_http_reused_answers_total",
      help: "Answers that a loop had kept and gave again, without asking an endpoint."
    ) { samples in
      for (route, name) in routes.enumerated() {
        let count = tallies.reduce(UInt64(0)) { $0 &+ $1.kept(route: route) }
        if count > 0 { samples.add(count, [("route", name)]) }
      }
    }
    registry.histograms(
      "banchan_http_request_duration_seconds",
      help: "From a request's head to the last byte of its answer that the socket took at once, or took at all."
    ) { samples in
      for (route, name) in routes.enumerated() {
        guard let reading = total(tallies.map { $0.durations(route: route) }), reading.count > 0 else { continue }
        samples.add(reading, [("route", name)])
      }
    }
  }

  private func registerConnections(in registry: MetricRegistry) {
    registry.gauge("banchan_http_connections", help: "Open client connections.") { Double(sum(.openConnections)) }
    registry.counters("banchan_http_connections_accepted_total", help: "Client connections that were accepted.") {
      $0.add(sum(.acceptedConnections))
    }
    registry.counters(
      "banchan_http_connections_refused_total", help: "Client connections that there was no room for, by what was full."
    ) { samples in
      samples.add(sum(.refusedForRoom), [("reason", "all")])
      samples.add(sum(.refusedForSource), [("reason", "address")])
    }
    registry.counters("banchan_tls_handshakes_total", help: "TLS handshakes with clients, by how they ended.") {
      samples in
      samples.add(sum(.handshakes), [("result", "done")])
      samples.add(sum(.failedHandshakes), [("result", "failed")])
    }
  }

  private func sum(_ total: LoopTally.Total) -> UInt64 {
    UInt64(max(0, tallies.reduce(Int64(0)) { $0 &+ $1.value(total) }))
  }

  private func total(_ readings: [HistogramReading]) -> HistogramReading? {
    guard var total = readings.first else { return nil }
    for reading in readings.dropFirst() { total += reading }
    return total
  }
}
