import Catalog

/// What a running shop's warming knows of each picture.
struct WarmingTally {
  private(set) var total = 0
  private(set) var relative = 0
  private(set) var fetched = 0
  private(set) var stored: Set<PictureReference> = []
  private(set) var unstored: Set<PictureReference> = []
  private(set) var rests: RestTimes

  init(firstRest: Int64) { rests = RestTimes(first: firstRest) }

  /// A walk begins: through the whole plan, or through the pictures whose rests are over.
  mutating func begin(_ plan: WarmingPlan, isWhole: Bool) {
    if isWhole { self = WarmingTally(firstRest: rests.first) }
    total = plan.pictures.count
    relative = plan.relative
  }

  /// Notes what became of a picture; true when it had failed before and is stored now.
  mutating func note(_ picture: Picture, _ result: PictureRound.Result, now: Int64) -> Bool {
    let reference = picture.reference
    switch result {
    case .stored(let isNew):
      stored.insert(reference)
      if isNew { fetched += 1 }
      return rests.forget(reference)
    case .unstored:
      unstored.insert(reference)
      _ = rests.forget(reference)
    case .failed(let failure):
      rests.note(failure.reason, isForGood: failure.isForGood, of: reference, now: now)
    case .skipped:
      rests.note(PictureRound.Result.skippedReason, isForGood: false, of: reference, now: now)
    }
    return false
  }

  var report: WarmingReport {
    WarmingReport(
      total: total, stored: stored.count, fetched: fetched, unstored: unstored.count, relative: relative,
      failures: rests.failures)
  }
}
