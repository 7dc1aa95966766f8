/// Something that the catalog should know of one of its pictures, and keeps in its own database.
public struct PictureNews: Sendable, Equatable {
  /// What has become of the picture.
  public enum Change: Sendable, Equatable {
    /// Its bytes are known: their digest, kind, and count.
    case known(Digest, PictureFormat, bytes: Int)
    /// It has failed for good, with nothing stored: lists show the placeholder.
    case failedForGood(PictureFailure)
  }

  /// Which picture.
  public let id: PictureID
  /// Its reference, as the catalog stores it.
  public let reference: [UInt8]
  /// What happened.
  public let change: Change
}

/// The revision that stands in a picture's names, and the digest it stands for: what the catalog keeps per picture.
///
/// Kept in the shop's database and not only in the cache, so that an old name never comes to mean new bytes when a cache
/// is deleted.
public struct PictureRevision: Sendable, Equatable {
  /// 1 or more.
  public let number: UInt32
  /// The digest of the bytes; nil before the first fetch.
  public let digest: Digest?

  /// What the database has.
  public init(number: UInt32, digest: Digest?) {
    self.number = max(1, number)
    self.digest = digest
  }

  /// A picture that was never fetched: revision 1, for bytes to come.
  public static let unfetched = PictureRevision(number: 1, digest: nil)

  /// The revision once the bytes are known to be these: the same for the digest it stands for and for a first one, the
  /// next for other bytes.
  public func learning(_ digest: Digest) -> PictureRevision {
    let isNext = self.digest != nil && self.digest != digest
    return PictureRevision(number: isNext ? number &+ 1 : number, digest: digest)
  }
}
