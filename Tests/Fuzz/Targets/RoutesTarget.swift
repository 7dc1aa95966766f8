import HTTP
import Shop

extension FuzzTarget {
  /// Paths of requests, looked up in a table with parameters, fixed segments beside them and exact routes.
  static let routes = FuzzTarget("routes") { bytes throws(Violation) in
    guard let head = request(bytes) else { return }
    guard let (pattern, parameters) = match(head) else {
      // What is not found does not appear by another slash, but the end of the exact route.
      return
    }
    let segments = pattern.split(separator: "/")
    try expectEqual(parameters.count, segments.count { $0.hasPrefix("{") }, "Each parameter has a value")
    try expect(parameters.allSatisfy { !$0.isEmpty }, "No parameter is empty")
    try expect(!head.path.dropFirst().starts(with: [47]), "Two slashes are no path")
    // The same segments, escaped another way, lead to the same place.
    var values = parameters.makeIterator()
    var path: [UInt8] = []
    for segment in segments {
      let value = segment.hasPrefix("{") ? values.next() ?? [] : Array(segment.utf8)
      path += [47] + Octets.percentEncoded(value)
    }
    if path.isEmpty { path = [47] }
    // Escaped, a long path may no longer fit a request line.
    guard let again = request(path) else {
      return try expect(path.count > 8_000, "\(Octets.text(path)) is a path")
    }
    guard let (samePattern, sameParameters) = match(again) else {
      throw Violation(description: "\(Octets.text(path)) leads nowhere, \(Octets.text(head.path)) to \(pattern)")
    }
    try expectEqual(samePattern, pattern, "A path written another way leads to the same route")
    try expectEqual(sameParameters, parameters, "A path written another way has the same parameters")
    guard path != [47], let slashed = request(path + [47]) else { return }
    try expectEqual(match(slashed)?.pattern, pattern == "/v1/exact" ? nil : pattern, "A slash at the end is none")
  }

  private static let router: Router? = {
    let patterns = [
      "/", "/{section}", "/{section}/{id}", "/api/v1/products", "/api/v1/products/{id}", "/api/v1/{kind}/all",
      "/images/{name}", "/v1/exact", "/a/b/{x}/c", "/a/{y}/{z}/d",
    ]
    return try? Router(
      patterns.map { pattern in
        Route(.get, pattern, isExact: pattern == "/v1/exact") { _ in Response(.ok) }
      })
  }()

  private static func match(_ head: RequestHead) -> (pattern: String, parameters: [[UInt8]])? {
    guard let found = try? router?.match(head) else { return nil }
    return (found.route.pattern, found.parameters)
  }

  private static func request(_ target: [UInt8]) -> RequestHead? {
    (try? RequestHead(parsing: Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8))) ?? nil
  }
}
