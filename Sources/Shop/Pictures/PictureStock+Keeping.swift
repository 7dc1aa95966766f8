import Catalog
import Images

// What an owner asks of the pictures: how they are, and to set them right.
extension PictureStock {
  /// What is there and what is not.
  ///
  /// - Parameter failures: what is known to have failed besides what the catalog knows, by reference.
  public func status(failures: [WarmingReport.Failure] = []) async -> PictureStatus {
    let snapshot = store.snapshot
    let pictures = WarmingPlan(snapshot, hasBase: true).pictures
    let stored = await library.stored(pictures.map(\.reference.bytes))
    let totals = await library.totals()
    let reasons = Dictionary(failures.map { ($0.reference, $0.reason) }, uniquingKeysWith: { first, _ in first })
    var status = PictureStatus()
    status.version = snapshot.version
    status.shown = pictures.count
    for picture in pictures {
      if let original = stored[picture.reference.bytes] {
        status.stored.count += 1
        status.stored.bytes += original.bytes
        continue
      }
      let reference = "\(picture.reference)"
      if let reason = reasons[reference] ?? picture.state.failure {
        status.failures.append(
          PictureStatus.Failure(reference: reference, reason: reason, isForGood: picture.state.failedForGood))
      } else {
        status.missing += 1
      }
    }
    status.derived = PictureStatus.Amount(totals.derived)
    // Pictures that have the same bytes share a file.
    let shown = Dictionary(stored.values.map { ($0.digest, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    status.orphans = PictureStatus.Amount(
      count: max(0, totals.originals.files + totals.loose.files - shown.count),
      bytes: max(0, totals.originals.bytes + totals.loose.bytes - shown.values.reduce(0, +)))
    return status
  }

  /// Reads every stored file, and drops those whose bytes are not those of their digest: they are fetched or made again.
  ///
  /// - Parameter progress: told now and then; false ends it.
  public func check(progress: @escaping @Sendable (StepCount) -> Bool) async -> CheckReport {
    let outcome = await library.check { progress(StepCount(done: $0, total: $1)) }
    var report = CheckReport()
    report.checked = PictureStatus.Amount(outcome.checked)
    report.damaged = outcome.damaged.map(\.hex)
    report.lost = outcome.lost.map(\.hex)
    return report
  }

  /// Removes stored pictures, or forgets that some failed; they are fetched again when somebody asks for them.
  public func purge(_ selection: PictureSelection, isDryRun: Bool) async throws(CatalogStoreError) -> PurgeReport {
    var report = PurgeReport()
    switch selection {
    case .all:
      report.removed = PictureStatus.Amount(await library.purge(nil, isDryRun: isDryRun))
    case .reference(let text):
      report.removed = PictureStatus.Amount(await library.purge(Array(text.utf8), isDryRun: isDryRun))
      report.forgotten = try await forgetFailures(isDryRun: isDryRun) { $0.reference.bytes.elementsEqual(text.utf8) }
    case .failed:
      report.forgotten = try await forgetFailures(isDryRun: isDryRun) { _ in true }
    }
    return report
  }

  private func forgetFailures(
    isDryRun: Bool, _ isMeant: (Picture) -> Bool
  ) async throws(CatalogStoreError) -> Int {
    let failed = store.snapshot.pictures.values.filter { $0.state.failedForGood && isMeant($0) }
    guard !isDryRun, !failed.isEmpty else { return failed.count }
    for picture in failed { library.forgetFailure(of: picture.reference.bytes) }
    let news = failed.map { PictureNews($0.reference, .failureForgotten) }
    _ = try await threads.run { [store] () throws(CatalogStoreError) in try store.note(pictureNews: news) }
    return failed.count
  }
}

extension PictureStatus.Amount {
  init(_ total: PictureLibrary.Total) { self.init(count: total.files, bytes: total.bytes) }
}
