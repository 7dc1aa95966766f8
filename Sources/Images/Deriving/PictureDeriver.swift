import DeriveWire
import HTTP
import Net
import Synchronization

/// Makes the sizes of the catalog's pictures out of their originals, once each, and keeps them.
final class PictureDeriver: Sendable {
  /// A kind of which no sizes are made is served as it is up to so many bytes: a phone can bear that.
  static let standInLimit = 524_288

  private let pool: WorkerPool
  private let tally: DerivingTally
  private let store: PictureStore
  private let loop: EventLoop
  private let log: @Sendable (String) -> Void
  private let onFinding: @Sendable (PictureFinding) -> Void
  private let flights = Flights<DerivedKey, Result<Made, DerivingFailure>>(passengers: 4_096)
  private let refused = DerivingMemory()
  /// Originals that are being, or have been, measured by this process.
  private let measured = Mutex<Set<Digest>>([])

  private struct Made: Sendable {
    let digest: Digest
    let body: Response.Body
  }

  init(
    _ configuration: DerivingConfiguration, store: PictureStore, loop: EventLoop, tally: DerivingTally,
    log: @escaping @Sendable (String) -> Void, onFinding: @escaping @Sendable (PictureFinding) -> Void
  ) {
    pool = WorkerPool(configuration, log: log)
    self.tally = tally
    self.store = store
    self.loop = loop
    self.log = log
    self.onFinding = onFinding
  }

  /// Why no sizes are derived at the moment; nil while they are.
  var trouble: String? { pool.trouble }

  /// How many pictures are being worked on, and how many wait for it.
  var load: (inside: Int, waiting: Int) { pool.load }

  /// A size of a picture.
  ///
  /// - Parameters:
  ///   - original: the picture.
  ///   - reference: its reference in the catalog, which is told what is found out.
  ///   - isMeasured: whether the catalog knows colour and placeholder of just these bytes.
  func derive(
    _ original: StoredPicture, _ reference: [UInt8], size: PictureSize, format: PictureFormat, isMeasured: Bool
  ) async -> Result<StoredPicture, PictureFailure> {
    guard let width = size.width.flatMap({ UInt16(exactly: $0) }), let wire = format.derived,
      let target = DeriveTarget(width: width, format: wire)
    else { return .success(original) }
    guard original.format.derived != nil else { return Self.asItIs(original) }
    let key = DerivedKey(source: original.digest, size: size, format: format)
    if let found = await store.find(key) {
      if !isMeasured { measure(original, reference) }
      return .success(original.derived(found.body, digest: found.digest, format: format, visit: found.visit))
    }
    if let failure = refused.failure(of: key) { return answer(failure, original) }
    let flight = await flights.outcome(of: key, on: EventLoop.current ?? loop) { [self] in
      if let found = await store.find(key) { return .success(Made(digest: found.digest, body: found.body)) }
      return await work(original, reference, [target], wantsLook: !isMeasured, key)
        .map { Made(digest: $0.digest, body: .bytes($0.bytes)) }
    }
    guard let flight else { return .failure(.queueFull) }
    switch flight.value {
    case .success(let made):
      return .success(original.derived(made.body, digest: made.digest, format: format, visit: nil))
    case .failure(let failure): return answer(failure, original)
    }
  }

  /// Makes all sizes that lists and pages show, with one decoding, for pictures that nobody has asked for yet. A size that is
  /// there already tells that this was done.
  ///
  /// - Parameter original: gives the picture, if it comes to that.
  func prepare(
    _ source: Digest, _ reference: [UInt8], isMeasured: Bool, original: () async -> StoredPicture?
  ) async {
    let keys = PictureSize.allCases.filter { $0.width != nil }.map {
      DerivedKey(source: source, size: $0, format: .jpeg)
    }
    guard let first = keys.first, refused.failure(of: first) == nil else { return }
    if isMeasured, await store.find(first) != nil { return }
    guard let original = await original(), original.format.derived != nil else { return }
    let targets = keys.compactMap { key in
      key.size.width.flatMap { UInt16(exactly: $0) }.flatMap { DeriveTarget(width: $0, format: .jpeg) }
    }
    guard targets.count == keys.count else { return }
    switch await ask(original.body, targets, wantsLook: !isMeasured) {
    case .success(let pictures):
      if let measure = pictures.measure { tell(reference, .measured(original.digest, original.format, measure)) }
      for (key, bytes) in zip(keys, pictures.bodies) { await store.store(bytes, as: key) }
    case .failure(let failure):
      note(failure, of: original, reference, first)
    }
  }

  private func ask(
    _ picture: Response.Body, _ targets: [DeriveTarget], wantsLook: Bool
  ) async -> Result<DerivedPictures, DerivingFailure> {
    await tally.note { await pool.derive(picture, targets, wantsLook: wantsLook) }
  }

  private func work(
    _ original: StoredPicture, _ reference: [UInt8], _ targets: [DeriveTarget], wantsLook: Bool, _ key: DerivedKey
  ) async -> Result<(digest: Digest, bytes: [UInt8]), DerivingFailure> {
    switch await ask(original.body, targets, wantsLook: wantsLook) {
    case .success(let pictures):
      if let measure = pictures.measure {
        // Whoever finds the size from now on need not have the picture looked at again.
        _ = isFirstToMeasure(original)
        tell(reference, .measured(original.digest, original.format, measure))
      }
      guard let bytes = pictures.bodies.first else { return .failure(.lost("its worker made nothing")) }
      return .success((await store.store(bytes, as: key), bytes))
    case .failure(let failure):
      note(failure, of: original, reference, key)
      return .failure(failure)
    }
  }

  /// Finds out colour and placeholder of a picture whose sizes are there already; nobody waits for it.
  private func measure(_ original: StoredPicture, _ reference: [UInt8]) {
    guard isFirstToMeasure(original) else { return }
    Task(executorPreference: EventLoop.current ?? loop) { [self] in
      switch await ask(original.body, [], wantsLook: true) {
      case .success(let pictures):
        if let measure = pictures.measure { tell(reference, .measured(original.digest, original.format, measure)) }
      case .failure:
        _ = measured.withLock { $0.remove(original.digest) }
      }
    }
  }

  private func isFirstToMeasure(_ original: StoredPicture) -> Bool {
    measured.withLock { measured in
      // Forgetting costs a job each.
      if measured.count >= 65_536 { measured = [] }
      return measured.insert(original.digest).inserted
    }
  }

  // MARK: Failures

  private func note(_ failure: DerivingFailure, of original: StoredPicture, _ reference: [UInt8], _ key: DerivedKey) {
    refused.note(failure, of: key)
    let name = PictureID(reference: reference)
    switch failure {
    case .refused(.animated), .refused(.opaque), .busy, .unavailable: break
    case .refused(let refusal):
      log("images: picture \(name) is not derived: \(refusal)")
      tell(reference, .failedForGood(.undecodable(refusal.description)))
    case .lost(let reason):
      log("images: picture \(name) is not derived: \(reason)")
    }
  }

  private func answer(_ failure: DerivingFailure, _ original: StoredPicture) -> Result<StoredPicture, PictureFailure> {
    switch failure {
    case .refused(.animated): Self.asItIs(original)
    case .refused(.opaque): .failure(.notOffered(.opaque))
    case .refused(let refusal): .failure(.undecodable(refusal.description))
    case .lost: .failure(.undecodable("a worker failed over it"))
    case .busy: .failure(.queueFull)
    case .unavailable: .success(original.standingIn())
    }
  }

  /// A picture of a kind that no sizes are made of.
  private static func asItIs(_ original: StoredPicture) -> Result<StoredPicture, PictureFailure> {
    guard let count = original.body.count, count <= standInLimit else {
      return .failure(.notOffered(.kind(original.format)))
    }
    return .success(original)
  }

  private func tell(_ reference: [UInt8], _ outcome: PictureFinding.Outcome) {
    onFinding(PictureFinding(id: PictureID(reference: reference), reference: reference, outcome: outcome))
  }
}
