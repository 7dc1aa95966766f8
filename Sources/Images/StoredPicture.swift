import HTTP

/// A picture as it can be served: its bytes, and what is true of them.
public struct StoredPicture: Sendable {
  /// The SHA-256 of the bytes.
  public internal(set) var digest: Digest
  /// What the bytes are, whatever the origin called them.
  public internal(set) var format: PictureFormat
  /// The bytes: in memory up to 1 MiB, from a file above.
  public internal(set) var body: Response.Body
  /// The SHA-256 of the origin's bytes, which these are or were made of.
  public let source: Digest
  /// Whether this is the original in place of a size that cannot be made just now: not to be kept under the size's name.
  public internal(set) var isStandIn = false
  /// Seconds since 1970 at which the origin gave them.
  public let fetchedAt: Int64
  /// Where they came from this time.
  public let cacheStatus: Response.CacheStatus
  /// How old they are, and how long they hold: since the origin made them or last confirmed them.
  public let freshness: Response.Freshness
  /// Until when the same answer may be given again without asking the library, in seconds since 1970; nil when it is for
  /// this once.
  public let reusableUntil: Int64?
  /// To be told when an answer with it is given again; nil when it is not from the cache.
  public internal(set) var visit: BodyVisit?

  /// Whether the origin lets others keep them.
  public let mayBeStored: Bool

  init(
    digest: Digest, format: PictureFormat, body: Response.Body, fetchedAt: Int64, cacheStatus: Response.CacheStatus,
    freshness: Response.Freshness, reusableUntil: Int64?, mayBeStored: Bool, visit: BodyVisit?
  ) {
    self.digest = digest
    self.format = format
    self.body = body
    self.fetchedAt = fetchedAt
    self.cacheStatus = cacheStatus
    self.freshness = freshness
    self.reusableUntil = reusableUntil
    self.mayBeStored = mayBeStored
    self.visit = visit
    source = digest
  }

  /// A strong tag for the bytes as they are: the first 128 bits of the digest.
  public var entityTag: EntityTag { EntityTag(strong: Array(digest.hex.utf8.prefix(32))) }
}
