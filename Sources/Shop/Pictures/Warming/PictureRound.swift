import Catalog
import Client
import Images
import Net

/// One walk through some pictures, a few at a time, after which those that can be had are stored, in all their sizes.
///
/// What fails stops nothing. What is stored already costs a look at the cache, so that a round which was interrupted takes
/// up where it stopped. Clients go first: while they wait for pictures of their own, the round begins none.
struct PictureRound: Sendable {
  /// What became of one picture.
  enum Result: Sendable {
    /// It is stored; whether it was fetched for that just now.
    case stored(isNew: Bool)
    /// It was fetched, and may not or cannot be stored.
    case unstored
    case failed(PictureFailure)
    /// It was not asked for, as its origin has not answered for a while.
    case skipped
  }

  let library: PictureLibrary
  /// What relative references are resolved against.
  let base: OriginURL?

  /// How many pictures are fetched at a time: enough to hide a slow answer, few enough to be a polite guest.
  private static let width = 4
  /// After so many pictures in a row for which an origin did not answer, its others are passed over.
  private static let patience = 12
  /// For how many milliseconds a picture waits for clients at most, so that a busy shop is warmed, too.
  private static let courtesy: Int64 = 1_000

  /// Walks. Runs on `loop`, and calls everything there.
  ///
  /// - Parameters:
  ///   - goesOn: asked before each picture.
  ///   - note: told what became of each picture, in the order in which that is known.
  func run(
    _ pictures: [Picture], on loop: EventLoop, while goesOn: () -> Bool = { true },
    note: (Picture, Result) async -> Void
  ) async {
    var rest = pictures[...]
    var silences: [Origin: Int] = [:]
    await withTaskGroup(of: (Picture, Result).self) { group in
      var underWay = 0
      func start() async {
        while goesOn(), let picture = rest.popFirst() {
          if let origin = origin(of: picture), silences[origin, default: 0] >= Self.patience {
            await note(picture, .skipped)
            continue
          }
          await giveWay(to: underWay, on: loop)
          underWay += 1
          group.addTask { (picture, await fetch(picture)) }
          return
        }
      }
      for _ in 0..<Self.width { await start() }
      while let (picture, result) = await group.next() {
        underWay -= 1
        if let origin = origin(of: picture) {
          silences[origin] = result.isSilence ? silences[origin, default: 0] + 1 : 0
        }
        await note(picture, result)
        await start()
      }
    }
  }

  private func fetch(_ picture: Picture) async -> Result {
    // Whatever was remembered of it: the round is the one that asks again.
    library.forgetFailure(of: picture.reference.bytes)
    let known = picture.state.facts.flatMap { Digest(bytes: $0.digest) }
    let reference = picture.reference.bytes
    if let known, await library.stored([reference])[reference]?.digest == known {
      await prepareSizes(of: picture, known)
      return .stored(isNew: false)
    }
    switch await library.picture(for: reference, known: known) {
    case .success(let stored):
      guard case .miss(_, let isStored, _) = stored.cacheStatus else {
        await prepareSizes(of: picture, stored.source)
        return .stored(isNew: false)
      }
      guard isStored else { return .unstored }
      await prepareSizes(of: picture, stored.source)
      return .stored(isNew: true)
    case .failure(let failure):
      return .failed(failure)
    }
  }

  private func prepareSizes(of picture: Picture, _ digest: Digest) async {
    let facts = picture.state.facts
    await library.prepareSizes(
      of: picture.reference.bytes, digest: digest,
      isMeasured: facts?.placeholder != nil && facts.flatMap { Digest(bytes: $0.digest) } == digest)
  }

  /// Waits while more fetches are under way than the round's own.
  private func giveWay(to own: Int, on loop: EventLoop) async {
    let end = loop.deadline(in: Self.courtesy)
    while library.fetchCount > own, loop.deadline(in: 0) < end { await loop.sleep(milliseconds: 50) }
  }

  private func origin(of picture: Picture) -> Origin? {
    (try? OriginURL.resolving(reference: picture.reference.bytes, in: base))?.origin
  }
}

extension PictureRound.Result {
  /// Why a picture was skipped.
  static let skippedReason = "not asked for, as its origin does not answer"

  /// Whether nobody answered, or the origin is left alone as nobody has.
  fileprivate var isSilence: Bool {
    switch self {
    case .failed(.unreachable), .failed(.timedOut), .failed(.busy): true
    default: false
    }
  }
}
