import Client

extension FuzzTarget {
  /// URLs that pictures are fetched from: the first line of the input is one, the second a reference seen from there.
  static let originURLs = FuzzTarget("origin-urls") { bytes throws(Violation) in
    let lines = Octets.lines(bytes, atMost: 2)
    let base = try? OriginURL(lines[0])
    if let base { try checkCanonical(base) }
    let reference = lines.count > 1 ? lines[1] : lines[0]
    if let resolved = try? OriginURL.resolving(reference: reference, in: base) { try checkCanonical(resolved) }
    guard let base, let resolved = try? base.resolving(reference) else { return }
    try checkCanonical(resolved)
    let isRelative = !reference.contains(58) && !reference.starts(with: [47, 47])
    if isRelative { try expectEqual(resolved.origin, base.origin, "A path stays at its origin") }
  }

  private static func checkCanonical(_ url: OriginURL) throws(Violation) {
    // Both go into a request to the origin, where a line end would be another field.
    try expect(Octets.isVisible(url.target), "A target is visible ASCII: \(url)")
    try expect(Octets.isVisible(url.origin.host), "A host is visible ASCII: \(url)")
    try expect(url.target.first == 47 && !url.target.contains(35), "A target begins with a slash, without fragment")
    try expect(url.bytes.count <= OriginURL.maximumLength, "A URL is not longer than servers take")
    try expect(!url.origin.serverName.isEmpty, "There is a host to look up")
    guard let again = try? OriginURL(url.bytes) else {
      throw Violation(description: "A canonical URL is refused: \(url)")
    }
    try expectEqual(again, url, "A canonical URL is canonical")
    try expectEqual(again.bytes, url.bytes, "A canonical URL has one spelling")
    try expectEqual(try? Origin(Array(url.origin.description.utf8)), url.origin, "An origin is read as it is written")
    try expectEqual(try? url.resolving(url.bytes), url, "A URL seen from itself is itself")
  }
}
