import Catalog
import Client
import Images
import Net

/// Fetches a catalog's pictures before anybody asks for them: those of the lists first, then galleries and details.
///
/// What fails is named at the end, and stops nothing. What is stored already is not fetched again, so that a round which was
/// interrupted takes up where it stopped.
public struct PictureRound: Sendable {
  /// What became of the pictures.
  public struct Outcome: Sendable {
    /// How many were fetched now and are stored.
    public internal(set) var fetched = 0
    /// How many were stored before.
    public internal(set) var stored = 0
    /// How many were fetched, and may not be stored: their origin says so.
    public internal(set) var unstored = 0
    /// What could not be fetched, and why.
    public internal(set) var failures: [(reference: PictureReference, reason: String)] = []
    /// How many were not asked for, as their origin had not answered for a while.
    public internal(set) var skipped = 0
    /// How many paths were passed over, as nobody said which origin they are below.
    public internal(set) var relative = 0
  }

  /// How many pictures are fetched at a time: enough to hide a slow answer, few enough to be a polite guest.
  private static let width = 4
  /// After so many pictures in a row for which an origin did not answer, its others are passed over.
  private static let patience = 12

  private let library: PictureLibrary
  private let store: CatalogStore
  private let news: PictureNewsDesk
  private let base: OriginURL?

  /// Opens the cache folder; blocks while it does.
  ///
  /// - Parameters:
  ///   - configuration: how pictures are fetched and kept. Its `onFinding` is set by the round.
  ///   - store: takes what is learnt of the pictures.
  ///   - report: takes one line that an operator should see.
  public init(
    _ configuration: PictureLibrary.Configuration, store: CatalogStore, loop: EventLoop,
    report: @escaping @Sendable (String) -> Void
  ) throws(PictureLibrary.Fault) {
    let threads = BlockingThreads(limit: 4)
    let news = PictureNewsDesk(store: store, loop: loop, threads: threads, report: report)
    var configuration = configuration
    configuration.onFinding = { news.take($0) }
    library = try PictureLibrary(configuration, loop: loop, threads: threads)
    base = configuration.originBase
    self.store = store
    self.news = news
  }

  /// Goes through the pictures once. Runs on the event loop that the round was made with.
  ///
  /// - Parameter progress: told after each picture how many are done, and of how many.
  public func run(progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) async -> Outcome {
    let snapshot = store.snapshot
    let all = Self.references(of: snapshot)
    let reachable = all.filter { base != nil || $0.isAbsolute }
    var outcome = Outcome()
    outcome.relative = all.count - reachable.count
    var rest = reachable[...]
    var done = 0
    var silences: [Origin: Int] = [:]
    await withTaskGroup(of: (PictureReference, Result<StoredPicture, PictureFailure>).self) { group in
      func start() {
        while let reference = rest.popFirst() {
          if let origin = origin(of: reference), silences[origin, default: 0] >= Self.patience {
            outcome.skipped += 1
            done += 1
            continue
          }
          let known = snapshot.pictures[reference]?.state.facts.flatMap { Digest(bytes: $0.digest) }
          group.addTask { [library] in (reference, await library.picture(for: reference.bytes, known: known)) }
          return
        }
      }
      for _ in 0..<Self.width { start() }
      while let (reference, result) = await group.next() {
        outcome.note(result, of: reference)
        if let origin = origin(of: reference) {
          silences[origin] = result.isSilence ? silences[origin, default: 0] + 1 : 0
        }
        done += 1
        start()
        progress(done, reachable.count)
      }
    }
    news.write()
    return outcome
  }

  private func origin(of reference: PictureReference) -> Origin? {
    (try? OriginURL.resolving(reference: reference.bytes, in: base))?.origin
  }

  /// Every picture that answers show, each once.
  static func references(of snapshot: CatalogSnapshot) -> [PictureReference] {
    var seen: Set<PictureReference> = []
    let products = snapshot.products
    let all =
      [snapshot.shop.placeholder.reference] + products.map(\.image.reference)
      + products.flatMap { entry in (entry.images + entry.details).map(\.reference) }
    return all.filter { seen.insert($0).inserted }
  }
}

extension PictureRound.Outcome {
  fileprivate mutating func note(_ result: Result<StoredPicture, PictureFailure>, of reference: PictureReference) {
    switch result {
    case .success(let picture):
      switch picture.cacheStatus {
      case .hit: stored += 1
      case .miss(_, let isStored, _): if isStored { fetched += 1 } else { unstored += 1 }
      default: stored += 1
      }
    case .failure(let failure):
      failures.append((reference, failure.description))
    }
  }
}

extension Result<StoredPicture, PictureFailure> {
  /// Whether nobody answered.
  fileprivate var isSilence: Bool {
    switch self {
    case .failure(.unreachable), .failure(.timedOut): true
    default: false
    }
  }
}
