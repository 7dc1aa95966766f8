import HTTP

/// The answer to OPTIONS, for every path and before anything is looked up: clients ask before they know what is there.
enum Preflight {
  static func response(to head: RequestHead) -> Response {
    var response = Response(.noContent)
    response.add(.allow, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    response.add(.accessControlAllowMethods, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    let requested = head.values(of: .accessControlRequestHeaders)
    if !requested.isEmpty {
      response.add(.accessControlAllowHeaders, bytes: Array(requested.joined(separator: Array(", ".utf8))))
      response.varies = .accessControlRequestHeaders
    }
    response.add(.accessControlMaxAge, "86400")
    return response
  }
}
