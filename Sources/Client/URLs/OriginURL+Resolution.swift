// References against a base: the catalog's relative paths, and what a Location field says.

extension OriginURL {
  /// Resolves a catalog's reference: an absolute URL stands for itself, a relative path is taken from `base`.
  ///
  /// - Parameter base: the origin's folder (`--origin-base`), with or without its last slash; nil when there is none.
  public static func resolving(reference: [UInt8], in base: OriginURL?) throws(URLFault) -> OriginURL {
    if splitScheme(reference) != nil { return try OriginURL(reference) }
    guard let base else { throw .relative }
    return try base.folder.resolving(reference)
  }

  /// What stands below this URL, taken as a folder: `path` and `query` are added as they are, and made canonical. Nothing
  /// is resolved: whoever lets others choose the path sees to it that it does not lead elsewhere.
  public func appending(path: ArraySlice<UInt8>, query: [UInt8]?) throws(URLFault) -> OriginURL {
    let folder = try folder
    return try OriginURL(
      origin: origin, rawTarget: folder.target + path + (query.map { [UInt8(ascii: "?")] + $0 } ?? []))
  }

  /// This URL with its path ending in a slash, and without a query.
  private var folder: OriginURL {
    get throws(URLFault) {
      var path = path
      if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
      return try OriginURL(origin: origin, rawTarget: path)
    }
  }

  private var path: ArraySlice<UInt8> { target[..<(target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)] }

  /// Resolves a reference of any kind as RFC 3986, section 5.2, says, with this URL as the base.
  ///
  /// Dot segments are taken out of relative paths only; an absolute URL is canonical as it stands.
  public func resolving(_ reference: [UInt8]) throws(URLFault) -> OriginURL {
    if let split = Self.splitScheme(reference) {
      let scheme = try Self.scheme(split.scheme)
      // "http:path" is an old spelling that no server should send; it names no host.
      guard split.rest.starts(with: "//".utf8) else { throw .host("") }
      return try OriginURL(scheme: scheme, hierarchy: split.rest.dropFirst(2))
    }
    if reference.starts(with: "//".utf8) {
      return try OriginURL(scheme: origin.scheme, hierarchy: reference.dropFirst(2))
    }
    let end = reference.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? reference.endIndex
    let path = reference[..<end]
    let tail = reference[end...]
    if path.isEmpty {
      return try OriginURL(origin: origin, rawTarget: tail.first == UInt8(ascii: "?") ? self.path + tail : target[...])
    }
    let isRooted = path.first == UInt8(ascii: "/")
    let folder = self.path[...(self.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
    let merged = isRooted ? Array(path) : Array(folder + path)
    return try OriginURL(origin: origin, rawTarget: Self.removingDotSegments(merged) + tail)
  }

  /// RFC 3986, section 5.2.4, for a path that begins with a slash.
  private static func removingDotSegments(_ path: [UInt8]) -> ArraySlice<UInt8> {
    let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual(".".utf8) {
        if isLast { kept.append([]) }
      } else if segment.elementsEqual("..".utf8) {
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append([]) }
      } else {
        kept.append(segment)
      }
    }
    return ([UInt8(ascii: "/")] + kept.joined(separator: [UInt8(ascii: "/")]))[...]
  }
}
