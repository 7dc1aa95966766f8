import Client
import HTTP

/// Why an origin cannot be mounted as asked.
public enum OriginMountError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not `PREFIX=URL`.
  case malformed(String)
  /// The prefix is not a path of plain segments, one at least.
  case badPrefix(String)
  /// What follows is no URL to fetch from.
  case badURL(String, URLFault)
  /// A query stands behind the URL, where paths are to be added.
  case query(String)
  /// Two mounts at one place, or one inside the other.
  case nested(String, String)
  /// A route of the shop stands where the mount would.
  case route(prefix: String, pattern: String)

  /// One sentence that says what is wrong and what to write.
  public var description: String {
    switch self {
    case .malformed(let text):
      "--mount takes PREFIX=URL, such as /jk/storeapp/data=https://pictures.example/data, not '\(text)'."
    case .badPrefix(let prefix):
      "a mount's prefix is a path such as /jk/storeapp/data, of letters, digits, '-', '.', '_' and '~', not '\(prefix)'."
    case .badURL(let url, let fault): "'\(url)' cannot be mounted: \(fault)."
    case .query(let url): "'\(url)' cannot be mounted: leave out the query, as paths are added to the URL."
    case .nested(let one, let other): "the mounts \(one) and \(other) overlap; give each a prefix of its own."
    case .route(let prefix, let pattern):
      "the mount \(prefix) would stand in the way of \(pattern); choose another prefix, or move the surface."
    }
  }
}

/// A folder of an origin, and the path below which its pictures are served: `--mount /jk/storeapp/data=https://host/path`.
public struct OriginMount: Equatable, Sendable {
  /// Without a slash at its end, such as `/jk/storeapp/data`.
  let prefix: [UInt8]
  /// The folder of the origin.
  let url: OriginURL

  /// The origin, which the operator has named and which is therefore spoken to wherever it stands.
  public var origin: Origin { url.origin }

  /// Reads `PREFIX=URL`.
  public init(_ text: String) throws(OriginMountError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw .malformed(text) }
    guard let plain = PathPrefix.plain(parts[0]), !plain.isEmpty else { throw .badPrefix(parts[0]) }
    prefix = Array(plain.utf8)
    do throws(URLFault) { url = try OriginURL(Array(parts[1].utf8)) } catch { throw .badURL(parts[1], error) }
    guard !url.target.contains(UInt8(ascii: "?")) else { throw .query(parts[1]) }
  }

  /// Refuses mounts that stand in each other's way, or in the way of a route.
  static func check(_ mounts: [OriginMount], beside routes: [Route]) throws(OriginMountError) {
    for (index, mount) in mounts.enumerated() {
      for other in mounts[..<index] where mount.contains(other.prefix) || other.contains(mount.prefix) {
        throw .nested(other.description, mount.description)
      }
      for route in routes where mount.covers(route.pattern) {
        throw .route(prefix: mount.description, pattern: route.pattern)
      }
    }
  }

  /// Where a request's picture is fetched; nil when it is for something else.
  ///
  /// The path below the prefix and the query go to the origin as they came, made canonical and no more.
  ///
  /// - Throws: `MountPathFault`, for a path that would lead out of the folder or is no path.
  func url(of head: RequestHead) throws(MountPathFault) -> OriginURL? {
    let path = head.path
    guard contains(path), path.count > prefix.count + 1 else { return nil }
    let rest = path[(prefix.count + 1)...]
    guard rest.split(separator: UInt8(ascii: "/")).allSatisfy(Self.isInside) else { throw .leavesFolder }
    do throws(URLFault) {
      return try url.appending(path: rest, query: head.query)
    } catch {
      throw .unusable(error)
    }
  }

  /// Whether a path is the prefix, or below it.
  private func contains(_ path: [UInt8]) -> Bool {
    path.starts(with: prefix) && (path.count == prefix.count || path[prefix.count] == UInt8(ascii: "/"))
  }

  /// Whether some request for a route's pattern would be the mount's.
  private func covers(_ pattern: String) -> Bool {
    let own = prefix.split(separator: UInt8(ascii: "/"))
    let others = Array(pattern.utf8).split(separator: UInt8(ascii: "/"))
    guard others.count >= own.count else { return false }
    return zip(own, others).allSatisfy { mine, theirs in
      theirs.first == UInt8(ascii: "{") || mine.elementsEqual(theirs)
    }
  }

  /// Whether a segment stays in its folder, however often whoever reads it takes escapes off, and whatever it takes for a
  /// separator.
  private static func isInside(_ segment: ArraySlice<UInt8>) -> Bool {
    var text = Array(segment)
    for _ in 0..<4 {
      if text.contains(0) { return false }
      let parts = text.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
      // Some servers take what follows a semicolon off first.
      for part in parts {
        let name = part.prefix { $0 != UInt8(ascii: ";") }
        if name.elementsEqual("..".utf8) || name.elementsEqual(".".utf8) { return false }
      }
      guard let decoded = PercentEncoding.decode(text.span), decoded != text else { return true }
      text = decoded
    }
    return false
  }
}

/// Why a path below a mount is not fetched.
enum MountPathFault: Error, Equatable {
  /// A dot segment, written in whatever way, or a zero byte.
  case leavesFolder
  /// No URL comes of it.
  case unusable(URLFault)
}

extension OriginMount: CustomStringConvertible {
  /// The prefix.
  public var description: String { String(decoding: prefix, as: UTF8.self) }
}
