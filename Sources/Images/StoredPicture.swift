import HTTP

/// A picture as it can be served: its bytes, and what is true of them.
public struct StoredPicture: Sendable {
  /// The SHA-256 of the bytes.
  public let digest: Digest
  /// What the bytes are, whatever the origin called them.
  public let format: PictureFormat
  /// The bytes: in memory up to 1 MiB, from a file above.
  public let body: Response.Body
  /// Seconds since 1970 at which the origin gave them.
  public let fetchedAt: Int64
  /// Where they came from this time.
  public let cacheStatus: Response.CacheStatus
  /// To be told when an answer with it is given again; nil when it is not from the cache.
  public let visit: BodyVisit?

  /// A strong tag for the bytes as they are: the first 128 bits of the digest.
  public var entityTag: EntityTag { EntityTag(strong: Array(digest.hex.utf8.prefix(32))) }
}
