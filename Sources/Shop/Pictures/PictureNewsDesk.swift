import Catalog
import Images
import Net
import Synchronization

/// Brings what the library learns of pictures into the catalog, at most once a second, so that warming ten thousand
/// pictures does not make ten thousand versions.
final class PictureNewsDesk: Sendable {
  private let store: CatalogStore
  private let loop: EventLoop
  private let threads: BlockingThreads
  private let report: @Sendable (String) -> Void
  private let onNewVersion: @Sendable () -> Void
  private let gatherer = PictureNewsGatherer()
  private let isScheduled = Mutex(false)

  /// - Parameter onNewVersion: called on a blocking thread after each version that news have made.
  init(
    store: CatalogStore, loop: EventLoop, threads: BlockingThreads, report: @escaping @Sendable (String) -> Void,
    onNewVersion: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.loop = loop
    self.threads = threads
    self.report = report
    self.onNewVersion = onNewVersion
  }

  /// Takes a finding from any thread; returns at once.
  func take(_ finding: PictureFinding) {
    guard let item = PictureNews(finding, known: store.snapshot) else { return }
    gatherer.add(item)
    let mustSchedule = isScheduled.withLock { isScheduled in
      defer { isScheduled = true }
      return !isScheduled
    }
    guard mustSchedule else { return }
    Task.detached(executorPreference: loop) { [self] in
      await loop.sleep(milliseconds: 1_000)
      isScheduled.withLock { $0 = false }
      await publish()
    }
  }

  /// Writes what has been gathered so far.
  func publish() async {
    await threads.run { [self] in write() }
  }

  /// The same for a thread that may block.
  func write() {
    let news = gatherer.take()
    guard !news.isEmpty else { return }
    do throws(CatalogStoreError) {
      if try store.note(pictureNews: news) != nil { onNewVersion() }
    } catch {
      report("what was learnt of \(news.count) pictures could not be kept: \(error)")
    }
  }
}

extension PictureNews {
  /// The catalog's form of what the library found; nil when the catalog does not know the reference.
  init?(_ finding: PictureFinding, known snapshot: CatalogSnapshot) {
    guard let reference = try? PictureReference(String(decoding: finding.reference, as: UTF8.self)),
      snapshot.pictures[reference] != nil
    else { return nil }
    switch finding.outcome {
    case .bytes(let digest, let format, _):
      guard let format = OriginalFormat(fileExtension: format.nameExtension),
        let facts = PictureFacts(digest: digest.bytes, format: format)
      else { return nil }
      self.init(reference, .stored(facts))
    case .measured(let digest, let format, let measure):
      guard let format = OriginalFormat(fileExtension: format.nameExtension),
        let facts = PictureFacts(
          digest: digest.bytes, format: format, width: measure.width, height: measure.height, color: measure.color,
          placeholder: measure.thumbHash)
      else { return nil }
      self.init(reference, .stored(facts))
    case .failedForGood(let failure):
      self.init(reference, .failedForGood(failure.reason))
    }
  }
}
