import HTTP

/// The answer to OPTIONS, for every path and before anything is looked up: clients ask before they know what is there.
enum Preflight {
  /// - Parameter allowsPrivateNetwork: whether a public page may reach this server on a private network or this machine.
  static func response(to head: RequestHead, allowsPrivateNetwork: Bool) -> Response {
    var response = Response(.noContent)
    response.add(.allow, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    // An OPTIONS without it asks for nobody's leave (Fetch, section 4.8).
    guard !head.values(of: .accessControlRequestMethod).isEmpty else { return response }
    response.add(.accessControlAllowMethods, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    let requested = head.values(of: .accessControlRequestHeaders)
    if !requested.isEmpty {
      response.add(.accessControlAllowHeaders, bytes: Array(requested.joined(separator: Array(", ".utf8))))
      response.varies = .accessControlRequestHeaders
    }
    if allowsPrivateNetwork, head.values(of: .accessControlRequestPrivateNetwork).contains(Array("true".utf8)) {
      response.add(.accessControlAllowPrivateNetwork, "true")
    }
    response.add(.accessControlMaxAge, "86400")
    return response
  }
}
