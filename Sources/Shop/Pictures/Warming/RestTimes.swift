import Catalog

/// When a picture that failed is asked for again: first after a minute, then each time after twice as long. So a recovered
/// picture is back soon, and an origin is not asked for ever for what it does not have.
struct RestTimes {
  /// Milliseconds of the first rest.
  let first: Int64
  /// Milliseconds of the longest rest of a picture whose origin fails: it may come back any time.
  static let longest: Int64 = 10 * 60_000
  /// Milliseconds of the longest rest of a picture that its origin does not have.
  static let longestForGood: Int64 = 6 * 3_600_000

  private struct Rest {
    var reason: String
    var length: Int64
    /// Milliseconds of the loop's clock.
    var end: Int64
  }

  private var rests: [PictureReference: Rest] = [:]

  init(first: Int64 = 60_000) { self.first = first }

  /// How many pictures are not there.
  var count: Int { rests.count }

  /// Notes that a picture failed at `now`.
  mutating func note(_ reason: String, isForGood: Bool, of reference: PictureReference, now: Int64) {
    let longest = isForGood ? Self.longestForGood : Self.longest
    let length = rests[reference].map { min(2 * $0.length, longest) } ?? first
    rests[reference] = Rest(reason: reason, length: length, end: now + length)
  }

  /// Forgets a picture that is there now; true when it had failed.
  mutating func forget(_ reference: PictureReference) -> Bool { rests.removeValue(forKey: reference) != nil }

  /// Whether a picture failed, and may be asked for again at `now`.
  func isOver(_ reference: PictureReference, now: Int64) -> Bool { rests[reference].map { $0.end <= now } ?? false }

  /// When the first rest ends.
  var nextEnd: Int64? { rests.values.lazy.map(\.end).min() }

  /// What failed and is not there yet, in the order of the references.
  var failures: [WarmingReport.Failure] {
    rests.map { WarmingReport.Failure(reference: "\($0)", reason: $1.reason) }.sorted { $0.reference < $1.reference }
  }
}
