import Catalog
import Images

/// What a warming has come to, in numbers of pictures, and what failed.
public struct WarmingReport: Sendable, Equatable {
  /// How many there are to have.
  public internal(set) var total = 0
  /// How many are stored, those of earlier times included.
  public internal(set) var stored = 0
  /// How many of these were fetched now.
  public internal(set) var fetched = 0
  /// How many were fetched and cannot be stored: their origin says so, or the cache has no room.
  public internal(set) var unstored = 0
  /// How many were not asked for, as their origin had not answered for a while.
  public internal(set) var skipped = 0
  /// How many paths were left out, as nobody said which origin they are below.
  public internal(set) var relative = 0
  /// What cannot be had for now, and why, by reference.
  public internal(set) var failures: [Failure] = []

  /// A picture that failed.
  public struct Failure: Sendable, Equatable {
    /// Its reference.
    public let reference: String
    /// One clause for the operator.
    public let reason: String
  }

  /// How many pictures something is known of by now.
  public var done: Int { stored + unstored + skipped + failures.count }
}

extension WarmingReport {
  mutating func note(_ picture: Picture, _ result: PictureRound.Result) {
    switch result {
    case .stored(let isNew):
      stored += 1
      if isNew { fetched += 1 }
    case .unstored: unstored += 1
    case .failed(let failure): failures.append(Failure(reference: "\(picture.reference)", reason: failure.reason))
    case .skipped: skipped += 1
    }
  }
}
