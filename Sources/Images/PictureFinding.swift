/// What was found out about one of the catalog's pictures. The catalog keeps it in its own database and not only in the
/// cache, so that a picture's name never comes to mean other bytes when a cache is deleted.
public struct PictureFinding: Sendable, Equatable {
  /// What can be found.
  public enum Outcome: Sendable, Equatable {
    /// Its bytes are known: their digest, kind, and count. Other bytes than before make a new revision.
    case bytes(Digest, PictureFormat, count: Int)
    /// A worker has looked at the bytes of that digest and kind.
    case measured(Digest, PictureFormat, PictureMeasure)
    /// It has failed for good, and nothing is stored: lists show the placeholder.
    case failedForGood(PictureFailure)
  }

  /// Which picture.
  public let id: PictureID
  /// Its reference, as the catalog stores it.
  public let reference: [UInt8]
  /// What was found.
  public let outcome: Outcome
}
