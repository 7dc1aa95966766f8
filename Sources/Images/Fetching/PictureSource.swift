import Client

/// Where a picture comes from, as it is asked for.
enum PictureSource: Sendable {
  /// A reference of the catalog, and what relative ones are resolved against.
  case reference([UInt8], base: OriginURL?)
  /// A URL below a mounted origin.
  case mounted(OriginURL)

  /// What the cache knows it by.
  var key: SourceKey {
    switch self {
    case .reference(let reference, _): SourceKey(reference: reference)
    case .mounted(let url): SourceKey(mounted: url)
    }
  }

  /// Where it is fetched.
  func url() throws(URLFault) -> OriginURL {
    switch self {
    case .reference(let reference, let base): try OriginURL.resolving(reference: reference, in: base)
    case .mounted(let url): url
    }
  }
}
