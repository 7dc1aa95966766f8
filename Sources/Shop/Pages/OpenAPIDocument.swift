import HTTP

/// `/openapi.json` as this server has it: the document of the public folder, with the compatible surfaces where they are
/// mounted.
///
/// The document is written by hand and read by people, so it is changed by whole lines, and stays as it was laid out: a path
/// item begins with a line of four blanks and the path, and ends with one of four blanks and a brace.
struct OpenAPIDocument: Sendable {
  /// Its name in the public folder.
  static let fileName = "openapi.json"

  /// The document.
  let text: String

  /// The document in `text`, with only the surfaces in `mounts`, at their places.
  init(_ text: String, mounts: [SurfaceMount]) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let begin = lines.firstIndex(of: #"  "paths": {"#),
      let end = lines[begin...].firstIndex(where: { $0 == "  }," || $0 == "  }" })
    else {
      self.text = text
      return
    }
    let places = Self.places(mounts)
    var items: [String] = []
    for item in PathItem.items(in: lines[(begin + 1)..<end]) {
      guard let place = places[item.path] else {
        items.append(item.text(at: item.path))
        continue
      }
      if let place { items.append(item.text(at: place)) }
    }
    let head = lines[...begin].joined(separator: "\n")
    let tail = lines[end...].joined(separator: "\n")
    self.text = "\(head)\n\(items.joined(separator: ",\n"))\n\(tail)"
  }

  /// Where each path of a surface stands here, by where it stands unless moved; nil for one that is left out.
  private static func places(_ mounts: [SurfaceMount]) -> [String: String?] {
    var places: [String: String?] = [:]
    for surface in CompatibleSurface.all {
      let mount = mounts.first { $0.name == surface.name }
      let standard = SurfaceMount(surface: surface, prefix: surface.defaultMount)
      for (index, path) in standard.paths.enumerated() {
        places[path.pattern] = .some(mount?.paths[index].pattern)
      }
    }
    return places
  }
}

/// The lines of one path in the document.
private struct PathItem {
  let path: String
  /// Between the first and the last line.
  private var lines: [Substring] = []

  private init(path: String) { self.path = path }

  static func items(in lines: ArraySlice<Substring>) -> [PathItem] {
    var items: [PathItem] = []
    var current: PathItem?
    for line in lines {
      if line.hasPrefix(#"    "/"#), line.hasSuffix(#"": {"#) {
        current = PathItem(path: String(line.dropFirst(5).dropLast(4)))
      } else if let item = current, line == "    }," || line == "    }" {
        items.append(item)
        current = nil
      } else {
        current?.lines.append(line)
      }
    }
    return items
  }

  func text(at place: String) -> String {
    "    \"\(place)\": {\n\(lines.joined(separator: "\n"))\n    }"
  }
}
