import Catalog
import Images
import JSON

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

  /// How many pictures something is known of by now, of how many.
  public var steps: StepCount { StepCount(done: stored + unstored + skipped + failures.count, total: total) }
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

extension WarmingReport {
  /// The report as JSON.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("total", Int64(total))
      json.member("stored", Int64(stored))
      json.member("fetched", Int64(fetched))
      json.member("unstored", Int64(unstored))
      json.member("skipped", Int64(skipped))
      json.member("relative", Int64(relative))
      json.key("failed")
      json.array { json in
        for failure in failures {
          json.object { json in
            json.member("reference", failure.reference)
            json.member("reason", failure.reason)
          }
        }
      }
    }
    return json.bytes
  }

  /// Reads what `json` wrote; nil for anything else.
  init?(_ value: JSONValue) {
    guard let total = value["total"]?.integer, let stored = value["stored"]?.integer,
      let failed = value["failed"]?.elements
    else { return nil }
    func number(_ key: String) -> Int { Int(clamping: value[key]?.integer ?? 0) }
    self.init(
      total: Int(clamping: total), stored: Int(clamping: stored), fetched: number("fetched"),
      unstored: number("unstored"), skipped: number("skipped"), relative: number("relative"),
      failures: failed.compactMap { failure in
        guard let reference = failure["reference"]?.text, let reason = failure["reason"]?.text else { return nil }
        return Failure(reference: reference, reason: reason)
      })
  }
}
