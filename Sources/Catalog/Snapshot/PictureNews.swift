import Synchronization

/// Something that was heard of a picture, on its way into the catalog.
public struct PictureNews: Hashable, Sendable {
  /// What can be heard.
  public enum Event: Hashable, Sendable {
    /// It was fetched, or more was found out about it. A new digest makes a new revision.
    case stored(PictureFacts)
    /// There is none to be had, and no copy is stored: the placeholder takes its place. Why, in one clause.
    case failedForGood(String)
    /// Its owner has it asked for again: until that failed, too, lists show it.
    case failureForgotten
  }

  /// Which picture.
  public let reference: PictureReference
  /// What was heard.
  public let event: Event

  /// News of a picture.
  public init(_ reference: PictureReference, _ event: Event) {
    self.reference = reference
    self.event = event
  }
}

/// Gathers news until somebody takes all of it, so that warming ten thousand pictures does not make ten thousand versions.
///
/// Any thread may add; whoever keeps time takes, once a second at most, and hands the batch to the store. The order is kept,
/// because each new digest counts as a revision of its own.
public final class PictureNewsGatherer: Sendable {
  private let waiting = Mutex<[PictureNews]>([])

  /// Nothing gathered yet.
  public init() {}

  /// Adds one piece of news.
  public func add(_ news: PictureNews) {
    waiting.withLock { if $0.last != news { $0.append(news) } }
  }

  /// Takes everything gathered since the last time.
  public func take() -> [PictureNews] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
