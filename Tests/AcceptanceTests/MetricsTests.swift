import FoundationEssentials
import Glibc
import Testing

@Suite("Metrics", .blocking)
struct MetricsTests {
  /// What a scrape says, by the whole name with its labels.
  private func scrape(_ port: UInt16) throws -> [String: Double] {
    let connection = try RawConnection(port: port)
    try connection.request("GET", "/metrics")
    let reply = try connection.readReply()
    #expect(reply.status == 200 && reply["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    var values: [String: Double] = [:]
    for line in reply.text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
        throw Failure("No sample: \(line)")
      }
      #expect(values.updateValue(value, forKey: String(line[..<space])) == nil, "twice: \(line)")
    }
    return values
  }

  /// What the metrics say when nothing changes any more, or when so many requests are counted: one is counted just after its
  /// answer is sent.
  private func settled(_ port: UInt16, requests: Double? = nil) throws -> [String: Double] {
    func counts(_ values: [String: Double]) -> [String: Double] {
      values.filter { $0.key.hasPrefix("banchan_http_requests_total") }
    }
    var last = try scrape(port)
    let values = try Patience.until {
      if requests == nil { poll(nil, 0, 200) }
      let now = try scrape(port)
      defer { last = now }
      if let requests { return counts(now).values.reduce(0, +) == requests ? now : nil }
      return counts(now) == counts(last) ? now : nil
    }
    return try #require(values)
  }

  private func operationsPort(_ shop: RunningShop) throws -> UInt16 {
    let line = try shop.process.waitForLine(containing: "metrics at http://127.0.0.1:")
    guard let port = line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ UInt16($0.1) }) else {
      throw Failure("No port in “\(line)”")
    }
    return port
  }

  @Test("Requests are counted by route, method and class of status, kept answers too")
  func requests() throws {
    try withShop(arguments: ["--ops-port", "0"]) { shop in
      let port = try operationsPort(shop)
      for _ in 0..<3 { #expect(try shop.get("/api/v1/products/HBDEF").status == 200) }
      #expect(try shop.get("/api/v1/products/NONE").status == 404)
      #expect(try shop.ask("HEAD", "/api/v1/sections").status == 200)
      #expect(try shop.get("/nowhere").status == 404)
      #expect(try shop.ask("DELETE", "/livez").status == 405)
      let values = try settled(port, requests: 7)
      func count(_ route: String, _ method: String, _ status: String) -> Double? {
        values["banchan_http_requests_total{route=\"\(route)\",method=\"\(method)\",status=\"\(status)\"}"]
      }
      #expect(count("/api/v1/products/{id}", "GET", "2xx") == 3)
      #expect(count("/api/v1/products/{id}", "GET", "4xx") == 1)
      #expect(count("/api/v1/sections", "HEAD", "2xx") == 1)
      #expect(count("none", "GET", "4xx") == 1 && count("none", "DELETE", "4xx") == 1)
      let reused = values.filter { $0.key.hasPrefix("banchan_http_reused_answers_total{route=\"/api/v1/products") }
      #expect(reused.values.reduce(0, +) >= 1)
      #expect(values["banchan_http_request_duration_seconds_count{route=\"/api/v1/products/{id}\"}"] == 4)
      #expect(values["banchan_http_connections_accepted_total"] == 7)
      #expect(
        (values["banchan_http_sent_bytes_total"] ?? 0) > (values["banchan_http_received_bytes_total"] ?? .infinity))
      #expect(values["banchan_catalog_version"] == 1 && values["banchan_readiness{state=\"down\"}"] == 0)
      for name in ["process_resident_memory_bytes", "process_open_fds", "banchan_database_bytes", "banchan_loops"] {
        #expect((values[name] ?? 0) > 0, "\(name)")
      }
    }
  }

  @Test("Whatever clients send, the metrics are no more than before")
  func cardinality() throws {
    try withShop(arguments: ["--ops-port", "0"]) { shop in
      let port = try operationsPort(shop)
      // Two clients of the same kind: what the first makes appear is all that appears.
      func visit(_ number: Int) throws {
        for target in [
          "/images/\(number).jpg", "/\(number)", "/api/v1/products/\(number)?x=\(number)", "/woowa/\(number)",
        ] {
          for method in ["GET", "HEAD", "POST", "BREW\(number)"] {
            _ = try shop.ask(method, target, "Content-Length: 0", "X-\(number): \(number)", "Host: h\(number).test")
          }
        }
        let broken = try shop.connect()
        try broken.send(Array("GET / HTTP/x\(number)\r\n\r\n".utf8))
        _ = try broken.readReply()
      }
      try visit(10)
      let before = try settled(port).keys.sorted()
      // Each visit is seventeen requests.
      for number in 11..<600 { try visit(number) }
      #expect(try settled(port).keys.sorted() == before)
    }
  }

  @Test("Pictures are counted by how they came, and fetches by how they ended")
  func pictures() throws {
    try withShopAndOrigin(arguments: ["--ops-port", "0", "--threads", "1"]) { shop, origin in
      let port = try operationsPort(shop)
      let path = try shop.picture(of: "HBDEF")
      for _ in 0..<2 { #expect(try shop.get(path).status == 200) }
      origin["/images/HDF73.jpg"] = .status(404)
      #expect(try shop.get(try shop.picture(of: "HDF73")).status == 404)
      let values = try settled(port)
      #expect(values["banchan_picture_lookups_total{result=\"miss\"}"] == 2)
      #expect(values["banchan_picture_lookups_total{result=\"hit\"}"] == 1)
      #expect(values["banchan_origin_fetches_total{result=\"stored\"}"] == 1)
      #expect(values["banchan_origin_fetches_total{result=\"not_found\"}"] == 1)
      #expect(values["banchan_origin_fetch_duration_seconds_count"] == 2)
      #expect(values["banchan_picture_flights"] == 0)
    }
  }

  @Test("Cache, workers and origins tell how they are, and an origin that fails degrades the shop until it is back")
  func state() throws {
    try withShopAndOrigin(arguments: ["--ops-port", "0", "--cache-size", "64MiB"]) { shop, origin in
      let port = try operationsPort(shop)
      func readiness() throws -> (state: String, reasons: String) {
        let answer = try shop.json("/readyz")
        let reasons = try answer["reasons"].items.map { try $0.text }
        return (try answer["status"].text, reasons.joined(separator: " "))
      }
      #expect(try readiness().state == "ready")
      let path = try shop.picture(of: "HBDEF")
      #expect(try shop.get(path).status == 200)
      #expect(try shop.get(try shop.picture(of: "HBDEF", "thumb")).status == 200)
      origin.stop()
      let products = ["HDF73", "HF778", "HFB53", "H72C3", "HBBCC", "kimchi_01-A"]
      let isDegraded = try Patience.until {
        for product in products { _ = try shop.get(try shop.picture(of: product)) }
        return try readiness().state == "degraded" ? true : nil
      }
      #expect(isDegraded == true)
      let reasons = try readiness().reasons
      #expect(reasons.contains("origin of pictures fails") && !reasons.contains("127.0.0.1"), "\(reasons)")
      // What is stored is served all the same.
      #expect(try shop.get("/readyz").status == 200 && shop.get(path).status == 200)

      let values = try settled(port)
      #expect(values["banchan_origins_left_alone"] == 1)
      #expect(values["banchan_readiness{state=\"degraded\"}"] == 1)
      #expect(values["banchan_cache_limit_bytes"] == Double(64 << 20))
      #expect(values["banchan_cache_storing"] == 1 && values["banchan_cache_crowded"] == 0)
      #expect(values["banchan_picture_derivations_total{result=\"made\"}"] ?? 0 >= 1)
      #expect(values["banchan_picture_workers_failing"] == 0 && values["banchan_picture_workers_waiting"] == 0)
      #expect(values["banchan_cache_evictions_total{kind=\"pinned\"}"] == 0)
      #expect(values["banchan_cache_stored_files{kind=\"derived\"}"] ?? 0 >= 1)
      #expect(values["banchan_log_dropped_lines_total"] == 0)
      for name in ["banchan_cache_used_bytes", "banchan_cache_memory_bytes", "banchan_loop_turn_seconds_count"] {
        #expect((values[name] ?? 0) > 0, "\(name)")
      }
    }
  }

  @Test("Operators have their own port: metrics are on no other, readiness on both")
  func listener() throws {
    try withShop(arguments: ["--ops-port", "0"]) { shop in
      let port = try operationsPort(shop)
      #expect(try shop.get("/metrics").status == 404)
      for path in ["/livez", "/readyz"] {
        let connection = try RawConnection(port: port)
        try connection.request("GET", path)
        #expect(try connection.readReply().text == shop.get(path).text)
      }
      let connection = try RawConnection(port: port)
      try connection.request("GET", "/api/v1/catalog")
      #expect(try connection.readReply().status == 404)
    }
  }

  @Test(
    "promtool accepts every line",
    .enabled(if: access("/usr/bin/promtool", X_OK) == 0, "promtool is in Debian's package prometheus"))
  func promtool() throws {
    try withShopAndOrigin(arguments: ["--ops-port", "0", "--tls-self-signed", "--tls-port", "0"]) { shop, _ in
      let port = try operationsPort(shop)
      #expect(try shop.get(try shop.picture(of: "HBDEF")).status == 200)
      let connection = try RawConnection(port: port)
      try connection.request("GET", "/metrics")
      try shop.folder.write(Array(try connection.readReply().text.utf8), to: "metrics")
      let result = try BanchanProcess.run(
        ["-c", "promtool check metrics < metrics"], in: shop.folder.path, program: "/bin/sh")
      #expect(result.end == .exited(0) && result.output.isEmpty && result.messages.isEmpty, "\(result)")
    }
  }
}
