/// Why surfaces cannot be mounted as asked.
public enum SurfaceMountError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not `NAME=PREFIX` or `NAME=off`.
  case malformed(String)
  /// There is no surface of this name.
  case unknownSurface(String, known: [String])
  /// The prefix is not a path of plain segments.
  case badPrefix(String)

  /// One sentence that says what is wrong and what to write.
  public var description: String {
    switch self {
    case .malformed(let text):
      "--surface takes NAME=PREFIX or NAME=off, such as onban2022=/onban, not '\(text)'."
    case .unknownSurface(let name, let known):
      "there is no surface '\(name)'; the known ones are \(known.joined(separator: ", "))."
    case .badPrefix(let prefix):
      "a surface's prefix is a path such as /onban or /, of letters, digits, '-', '.', '_' and '~', not '\(prefix)'."
    }
  }
}

/// A compatible surface at its place.
public struct SurfaceMount: Sendable {
  let surface: CompatibleSurface
  /// Without a slash at its end; empty for the root.
  let prefix: String

  /// The surface's name.
  public var name: String { surface.name }

  /// All surfaces at their places, as an operator wants them.
  ///
  /// - Parameter overriding: `NAME=PREFIX` moves a surface, `NAME=off` leaves it out; the last word on a name counts.
  public static func mounts(overriding texts: [String]) throws(SurfaceMountError) -> [SurfaceMount] {
    let surfaces = CompatibleSurface.all
    var prefixes: [String: String?] = [:]
    for surface in surfaces { prefixes[surface.name] = surface.defaultMount }
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let name = parts.first, let place = parts.last else { throw .malformed(text) }
      guard prefixes[name] != nil else { throw .unknownSurface(name, known: surfaces.map(\.name)) }
      prefixes[name] = .some(place == "off" ? nil : try checkedPrefix(place))
    }
    return surfaces.compactMap { surface in
      prefixes[surface.name].flatMap { $0 }.map { SurfaceMount(surface: surface, prefix: $0) }
    }
  }

  /// Paths that are worth a look in the demo shop.
  public var examplePaths: [String] { surface.examples.map { prefix + $0 } }

  /// Everything that the surface answers: full patterns, and what each answers with.
  var paths: [CompatibleSurface.Path] {
    surface.paths.map { CompatibleSurface.Path(prefix + $0.pattern, $0.answer) } + surface.rootPaths
  }

  private static func checkedPrefix(_ text: String) throws(SurfaceMountError) -> String {
    guard let prefix = PathPrefix.plain(text) else { throw .badPrefix(text) }
    return prefix
  }
}

extension CompatibleSurface {
  /// Every surface that there is.
  static let all = [woowa2018, baminchan2020, onban2022, team2020]
}
