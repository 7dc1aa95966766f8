import HTTP
import Server

/// What an endpoint gets: the request, and what stands in the places of its route's parameters.
public struct RoutedRequest: Sendable {
  /// The request.
  public let request: Request
  /// The decoded segments for the route's `{…}`, in order.
  public let parameters: [[UInt8]]

  /// The first parameter.
  var id: [UInt8] { parameters.first ?? [] }
}

/// Answers the requests of one route.
public typealias Endpoint = @Sendable (RoutedRequest) async throws(Problem) -> Response

/// One method at one path.
public struct Route: Sendable {
  /// What is done with query parameters.
  public enum Query: Sendable {
    /// None is looked at.
    case ignored
    /// Only these are known; any other is a 400.
    case only([String])
  }

  let method: HTTP.Method
  /// As it was given.
  package let pattern: String
  let query: Query
  /// Whether the path with a slash behind it is another one.
  let isExact: Bool
  let endpoint: Endpoint
  /// Which of the router's patterns it has.
  fileprivate(set) var number = 0

  /// A route; segments of the pattern such as `{id}` stand for anything, and `{path...}` as the last one for all that may
  /// follow, however it is written.
  public init(
    _ method: HTTP.Method, _ pattern: String, query: Query = .ignored, isExact: Bool = false,
    endpoint: @escaping Endpoint
  ) {
    self.method = method
    self.pattern = pattern
    self.query = query
    self.isExact = isExact
    self.endpoint = endpoint
  }
}

/// Two routes that would answer the same request.
public struct RouteClash: Error, CustomStringConvertible {
  let first: String
  let second: String

  /// What an operator can do about it.
  public var description: String {
    "the routes \(first) and \(second) clash; move or remove one of the surfaces with --surface NAME=PREFIX or NAME=off"
  }
}

/// All routes, checked for clashes when it is made, and only read afterwards.
///
/// Paths are matched as they came, segment by segment, each percent-decoded once: `%2F` is data, dot segments are not
/// resolved. One slash at the end makes no difference, but to exact routes. A fixed segment goes before a parameter. What is
/// below the place of a `{path...}` is left as it came, for its endpoint to read.
public struct Router: Sendable {
  private final class Node: Sendable {
    let fixed: [[UInt8]: Node]
    let parameter: Node?
    let routes: [HTTP.Method: Route]

    init(_ builder: NodeBuilder) {
      fixed = builder.fixed.mapValues { Node($0) }
      parameter = builder.parameter.map { Node($0) }
      routes = builder.routes
    }
  }

  private final class NodeBuilder {
    var fixed: [[UInt8]: NodeBuilder] = [:]
    var parameter: NodeBuilder?
    var routes: [HTTP.Method: Route] = [:]
  }

  /// All that is below a path.
  private struct Tree: Sendable {
    /// With a slash at its end.
    let prefix: [UInt8]
    var routes: [HTTP.Method: Route]
  }

  /// The last segment of a pattern for all that may follow.
  static let rest = "{path...}"

  private let root: Node
  private let trees: [Tree]
  /// The patterns of the routes, by the numbers that their answers carry.
  public let names: [String]

  /// What answers of no route count as.
  public static let noRoute = "none"

  /// Freezes a table of routes.
  public init(_ routes: [Route]) throws(RouteClash) {
    let root = NodeBuilder()
    var names = [Self.noRoute]
    var trees: [Tree] = []
    for route in routes {
      var route = route
      route.number = names.firstIndex(of: route.pattern) ?? names.count
      if route.number == names.count { names.append(route.pattern) }
      if route.pattern.hasSuffix("/\(Self.rest)") {
        try Self.add(route, to: &trees)
        continue
      }
      var node = root
      for segment in route.pattern.utf8.split(separator: UInt8(ascii: "/")) {
        node = Self.child(of: node, for: Array(segment))
      }
      if let other = node.routes[route.method] { throw RouteClash(first: other.pattern, second: route.pattern) }
      node.routes[route.method] = route
    }
    self.root = Node(root)
    self.trees = trees
    self.names = names
  }

  private static func add(_ route: Route, to trees: inout [Tree]) throws(RouteClash) {
    let prefix = Array(route.pattern.utf8.dropLast(rest.utf8.count))
    let index = trees.firstIndex { $0.prefix == prefix } ?? trees.count
    if index == trees.count { trees.append(Tree(prefix: prefix, routes: [:])) }
    if let other = trees[index].routes.updateValue(route, forKey: route.method) {
      throw RouteClash(first: other.pattern, second: route.pattern)
    }
  }

  private static func child(of node: NodeBuilder, for segment: [UInt8]) -> NodeBuilder {
    guard segment.first == UInt8(ascii: "{") else {
      let child = node.fixed[segment] ?? NodeBuilder()
      node.fixed[segment] = child
      return child
    }
    let child = node.parameter ?? NodeBuilder()
    node.parameter = child
    return child
  }

  /// Finds the endpoint and calls it. A problem becomes its answer.
  public func respond(to request: Request) async -> Response {
    var number = 0
    var response: Response
    do throws(Problem) {
      let (route, parameters) = try match(request.head)
      number = route.number
      response = try await route.endpoint(RoutedRequest(request: request, parameters: parameters))
    } catch {
      response = error.response(to: request.head)
    }
    response.route = number
    return response
  }

  /// The route that a request is for, with what stands in the places of its parameters.
  package func match(_ head: RequestHead) throws(Problem) -> (route: Route, parameters: [[UInt8]]) {
    guard head.method != .unknown else { throw Problem(.notImplemented) }
    let (routes, parameters) = try routes(at: head.path)
    let method = head.method == .head ? HTTP.Method.get : head.method
    guard let route = routes[method] else {
      var problem = Problem(.methodNotAllowed)
      problem.allowed = Self.allowed(routes.keys)
      throw problem
    }
    if case .only(let known) = route.query { try QueryString.check(head.query, known: known) }
    return (route, parameters)
  }

  private func routes(
    at path: [UInt8]
  ) throws(Problem) -> (routes: [HTTP.Method: Route], parameters: [[UInt8]]) {
    if let tree = trees.first(where: { path.count > $0.prefix.count && path.starts(with: $0.prefix) }) {
      return (tree.routes, [])
    }
    var parameters: [[UInt8]] = []
    guard let segments = Self.segments(of: path), let node = find(segments[...], from: root, &parameters) else {
      throw Problem(.notFound)
    }
    if path.count > 1, path.last == UInt8(ascii: "/"), node.routes.values.contains(where: \.isExact) {
      throw Problem(.notFound)
    }
    return (node.routes, parameters)
  }

  private static func allowed(_ methods: some Collection<HTTP.Method>) -> [HTTP.Method] {
    let order: [HTTP.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    return order.filter { method in
      method == .options || methods.contains(method) || method == .head && methods.contains(.get)
    }
  }

  /// The decoded segments of a path; nil when two slashes stand together.
  private static func segments(of path: [UInt8]) -> [[UInt8]]? {
    var rest = path[...]
    if rest.first == UInt8(ascii: "/") { rest = rest.dropFirst() }
    if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
    guard !rest.isEmpty else { return path.count <= 1 ? [] : nil }
    var segments: [[UInt8]] = []
    for raw in rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard !raw.isEmpty else { return nil }
      guard raw.contains(UInt8(ascii: "%")) else {
        segments.append(Array(raw))
        continue
      }
      guard let decoded = PercentEncoding.decode(Array(raw).span) else { return nil }
      segments.append(decoded)
    }
    return segments
  }

  private func find(_ segments: ArraySlice<[UInt8]>, from node: Node, _ parameters: inout [[UInt8]]) -> Node? {
    guard let first = segments.first else { return node.routes.isEmpty ? nil : node }
    if let child = node.fixed[first], let found = find(segments.dropFirst(), from: child, &parameters) { return found }
    guard let child = node.parameter else { return nil }
    parameters.append(first)
    if let found = find(segments.dropFirst(), from: child, &parameters) { return found }
    parameters.removeLast()
    return nil
  }
}
