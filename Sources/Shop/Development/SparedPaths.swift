/// The addresses that a browser's own faults leave alone: those of the pages, so that whoever turned a fault on sees it and can
/// turn it off again, and what the panel hears of the server.
struct SparedPaths: Sendable {
  private let paths: Set<[UInt8]>
  /// Each with a slash at its end.
  private let prefixes: [[UInt8]]

  /// - Parameter patterns: of the pages' routes; one with a parameter spares all that is below its place.
  init(pages patterns: [String]) {
    let slash = UInt8(ascii: "/")
    var paths: Set<[UInt8]> = [Array("/api/v1/events".utf8), Array("/livez".utf8)]
    var prefixes: [[UInt8]] = []
    for pattern in patterns.map({ Array($0.utf8) }) {
      if let brace = pattern.firstIndex(of: UInt8(ascii: "{")) {
        prefixes.append(Array(pattern[..<brace]))
      } else {
        paths.formUnion(pattern.last == slash ? [pattern] : [pattern, pattern + [slash]])
      }
    }
    self.paths = paths
    self.prefixes = prefixes
  }

  func contains(_ path: [UInt8]) -> Bool {
    paths.contains(path) || prefixes.contains { path.starts(with: $0) }
  }
}
