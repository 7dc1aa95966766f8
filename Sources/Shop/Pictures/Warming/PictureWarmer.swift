import Catalog
import Images
import Net
import Synchronization

/// Has a running shop's pictures stored before anybody asks for them: after the start, after each import, and from time to
/// time those that failed, which is also how a picture that had failed for good comes back into the lists.
///
/// One task on the stock's loop does all of it; any thread may ask, look and stop.
final class PictureWarmer: Sendable {
  private struct State {
    var tally: WarmingTally
    /// Whether a walk is under way or about to begin.
    var isWarming = false
    /// Whether all pictures are to be gone through from the start.
    var isAsked = false
    var isStopped = false
    var hasStarted = false
    /// What the task waits with; cancelled when there is something to do.
    var nap: Task<Void, Never>?
  }

  private let stock: PictureStock
  private let state: Mutex<State>
  private let report: @Sendable (String) -> Void
  private let onProgress: @Sendable (WarmingProgress) -> Void

  private static let progressInterval: Int64 = 250

  /// - Parameters:
  ///   - firstRest: see `RestTimes`.
  ///   - report: takes one line that an operator should see.
  ///   - onProgress: told how far it is, a few times a second, and at the end of each walk.
  init(
    _ stock: PictureStock, firstRest: Int64 = 60_000, report: @escaping @Sendable (String) -> Void,
    onProgress: @escaping @Sendable (WarmingProgress) -> Void
  ) {
    self.stock = stock
    self.report = report
    self.onProgress = onProgress
    state = Mutex(State(tally: WarmingTally(firstRest: firstRest)))
  }

  /// Asks for a walk through all pictures, those that failed included. One that is under way begins anew.
  func ask() {
    let mustStart = state.withLock { state in
      guard !state.isStopped else { return false }
      state.isAsked = true
      state.isWarming = true
      state.nap?.cancel()
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    if mustStart { Task.detached(executorPreference: stock.loop) { await self.run() } }
  }

  /// Ends it after the fetches that are under way.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.isWarming = false
      state.nap?.cancel()
    }
  }

  /// How far it is.
  var progress: WarmingProgress {
    let version = stock.store.version
    return state.withLock { state in
      WarmingProgress(
        version: version, total: state.tally.total, stored: state.tally.stored.count, failed: state.tally.rests.count,
        isWarming: state.isWarming)
    }
  }

  /// What has come of it so far.
  var outcome: WarmingReport { state.withLock { $0.tally.report } }

  // MARK: The task

  private func run() async {
    while let isWhole = nextWalk() {
      await walk(isWhole: isWhole)
      await rest()
    }
  }

  /// Whether the next walk is through all pictures; nil when there is to be none.
  private func nextWalk() -> Bool? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      defer { state.isAsked = false }
      state.isWarming = true
      return state.isAsked
    }
  }

  private func walk(isWhole: Bool) async {
    let plan = stock.plan
    let now = stock.loop.now
    let pictures = state.withLock { state in
      state.tally.begin(plan, isWhole: isWhole)
      return isWhole ? plan.pictures : plan.pictures.filter { state.tally.rests.isOver($0.reference, now: now) }
    }
    var lastTold: Int64 = 0
    var recovered = 0
    await stock.round.run(pictures, on: stock.loop, while: { self.goesOn }) { picture, result in
      let now = stock.loop.now
      if state.withLock({ $0.tally.note(picture, result, now: now) }) { recovered += 1 }
      guard now - lastTold >= Self.progressInterval else { return }
      lastTold = now
      onProgress(progress)
    }
    // Whoever hears that the walk is over finds what it has found in the catalog.
    await stock.publishNews()
    guard goesOn else { return }
    state.withLock { $0.isWarming = $0.isAsked }
    onProgress(progress)
    tell(isWhole: isWhole, recovered: recovered)
  }

  /// False when the walk is to end: there is a new one to make, or none at all.
  private var goesOn: Bool { state.withLock { !$0.isStopped && !$0.isAsked } }

  /// Waits until it is asked, or a rest of a picture that failed is over.
  private func rest() async {
    let loop = stock.loop
    let nap: Task<Void, Never>? = state.withLock { state in
      guard !state.isStopped, !state.isAsked else { return nil }
      let deadline = state.tally.rests.nextEnd.map { loop.deadline(in: $0 - loop.now) } ?? .never
      let nap = Task(executorPreference: loop) { await loop.sleep(until: deadline) }
      state.nap = nap
      return nap
    }
    await nap?.value
  }

  private func tell(isWhole: Bool, recovered: Int) {
    let outcome = outcome
    guard isWhole else {
      if recovered > 0 { report("pictures: \(recovered) that had failed \(recovered == 1 ? "is" : "are") stored now") }
      return
    }
    var counts = ["\(outcome.stored) of \(outcome.total) are stored, \(outcome.fetched) of them fetched now"]
    if outcome.unstored > 0 { counts.append("\(outcome.unstored) cannot be stored") }
    if outcome.relative > 0 { counts.append("\(outcome.relative) need an --origin-base") }
    if !outcome.failures.isEmpty {
      counts.append("\(outcome.failures.count) failed: `banchan images status` says which and why")
    }
    report("pictures: \(counts.joined(separator: "; "))")
  }
}
