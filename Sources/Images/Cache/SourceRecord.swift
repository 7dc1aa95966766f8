import Client

/// What the cache knows of one source: which body it gave, and what was said about it.
struct SourceRecord: Equatable, Sendable {
  let key: SourceKey
  /// The canonical URL that the body was asked for at.
  let url: OriginURL
  /// The body that is stored for it.
  var digest: Digest
  /// Its kind, told from its bytes.
  var format: PictureFormat
  /// Its length in bytes.
  var bytes: Int
  /// Width and height in pixels, once a worker has read them.
  var dimensions: Dimensions?
  /// The origin's validators as it wrote them, for asking whether the body has changed.
  var entityTag: [UInt8]?
  var lastModified: [UInt8]?
  /// The origin's Cache-Control, as it wrote it; several lines joined by commas.
  var cacheControl: [UInt8]?
  /// Seconds since 1970 at which the body was fetched.
  var fetchedAt: Int64
  /// Seconds since 1970 at which the source was last asked, and the status it gave.
  var checkedAt: Int64
  var lastStatus: Int
  /// Since when and until when what is stored holds.
  var freshness = Freshness.unknown

  struct Dimensions: Equatable, Sendable {
    var width: Int
    var height: Int
  }
}
