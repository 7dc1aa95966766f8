import HTTP
import Net
import Synchronization

/// The pictures that are kept.
///
/// Never fails towards a client: what cannot be read is a miss, what cannot be written is served from memory. Why
/// nothing can be written is said once in the log and shown as ``trouble`` until a write works again.
final class PictureStore: Sendable {
  /// A body that was found, and what is known of it.
  struct Found: Sendable {
    let record: SourceRecord
    let body: Response.Body
    let visit: BodyVisit
  }

  /// A derived picture that was found.
  struct FoundDerived: Sendable {
    /// The SHA-256 of its bytes.
    let digest: Digest
    let body: Response.Body
    let visit: BodyVisit
  }

  let threads: BlockingThreads
  private let path: String
  private let limits: Mutex<CacheDisk.Limits>
  private let log: @Sendable (String) -> Void
  private let state: StoringState
  /// nil as long as the folder cannot be used.
  private let opened = Mutex<CacheDisk?>(nil)
  let hot: HotBodies

  /// Opens the cache in a folder. Where that is impossible for now it is tried again with each picture.
  ///
  /// Blocks while the folder is prepared: for the start of the program.
  ///
  /// - Parameter memory: bytes of bodies that are kept in memory.
  /// - Throws: `CacheFault` when the folder is not ours to use.
  init(
    path: String, limits: CacheDisk.Limits = CacheDisk.Limits(), memory: Int = 0, threads: BlockingThreads,
    log: @escaping @Sendable (String) -> Void
  ) throws(CacheFault) {
    self.path = path
    self.limits = Mutex(limits)
    self.threads = threads
    self.log = log
    hot = HotBodies(capacity: memory)
    state = StoringState(path: path, log: log)
    if case .failure(let trouble) = try open() { state.note(trouble) }
  }

  /// Why pictures are not being stored; nil while they are.
  var trouble: CacheTrouble? { state.trouble }

  /// Whether the pictures that products show found no room together.
  var isCrowded: Bool { state.isCrowded }

  /// What is counted of the disk; nil as long as the folder cannot be used.
  var budget: DiskBudget? { disk?.budget }

  /// Notes that storing failed.
  func note(_ trouble: CacheTrouble) { state.note(trouble) }

  // MARK: The disk

  private func open() throws(CacheFault) -> Result<CacheDisk, CacheTrouble> {
    try opened.withLock { opened throws(CacheFault) in
      if let opened { return .success(opened) }
      switch try CacheFolder.open(path) {
      case .failure(let trouble): return .failure(trouble)
      case .success(let folder):
        do throws(CacheTrouble) {
          let disk = try CacheDisk(folder, limits: limits.withLock { $0 }, threads: threads, state: state, log: log)
          opened = disk
          disk.sweepInBackground()
          return .success(disk)
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// The disk, for reading: what could not be opened yet has nothing to read.
  private var disk: CacheDisk? { opened.withLock { $0 } }

  /// The disk, for storing; blocks.
  func diskForStoring() throws(CacheTrouble) -> CacheDisk {
    let result: Result<CacheDisk, CacheTrouble>
    do throws(CacheFault) { result = try open() } catch { throw .other("\(error)") }
    return try result.get()
  }

  /// Has the cache take so much from now on; what is too much goes at once.
  func limit(to limits: CacheDisk.Limits) async {
    self.limits.withLock { $0 = limits }
    guard let disk else { return }
    await threads.run {
      do throws(CacheTrouble) { try disk.limit(to: limits) } catch { self.note(error) }
    }
  }

  // MARK: Finding

  /// The body stored for a source; nil when there is none, or none that is whole. One in memory is found without waiting.
  func find(_ key: SourceKey) async -> Found? {
    let hotKey = HotBodies.Key.source(key)
    if let body = hot.body(of: hotKey), let record = body.record {
      return Found(record: record, body: .bytes(body.bytes), visit: body.visit)
    }
    let ticket = hot.ticket(for: hotKey)
    let found: Found? = await reading { (disk) throws(CacheTrouble) in
      try disk.find(key).map { Found(record: $0.record, body: $0.body, visit: $0.visit) }
    }
    if let found, case .bytes(let bytes) = found.body {
      let body = HotBodies.Body(record: found.record, digest: found.record.digest, bytes: bytes, visit: found.visit)
      hot.keep(body, as: hotKey, ticket)
    }
    return found
  }

  /// The derived picture that is stored; nil when there is none, or none that is whole.
  func find(_ key: DerivedKey) async -> FoundDerived? {
    let hotKey = HotBodies.Key.derived(key)
    if let body = hot.body(of: hotKey) {
      return FoundDerived(digest: body.digest, body: .bytes(body.bytes), visit: body.visit)
    }
    let ticket = hot.ticket(for: hotKey)
    let found: FoundDerived? = await reading { (disk) throws(CacheTrouble) in
      try disk.find(key).map { FoundDerived(digest: $0.digest, body: $0.body, visit: $0.visit) }
    }
    if let found, case .bytes(let bytes) = found.body {
      hot.keep(HotBodies.Body(record: nil, digest: found.digest, bytes: bytes, visit: found.visit), as: hotKey, ticket)
    }
    return found
  }

  /// Runs what reads, on a blocking thread; nil also where nothing can be read, which is noted here.
  func reading<Value: Sendable>(
    _ work: @escaping @Sendable (CacheDisk) throws(CacheTrouble) -> Value?
  ) async -> Value? {
    guard let disk else { return nil }
    return await threads.run { [self] in
      do throws(CacheTrouble) {
        return try work(disk)
      } catch {
        state.note(error)
        return nil
      }
    }
  }

  // MARK: Storing

  /// Runs what stores something, on a blocking thread. Why it fails is noted here.
  ///
  /// - Returns: whether it is stored.
  @discardableResult
  private func storing(_ work: @escaping @Sendable (CacheDisk) throws(CacheTrouble) -> Void) async -> Bool {
    await threads.run { [self] in
      do throws(CacheTrouble) {
        try work(try diskForStoring())
        state.noteSuccess()
        return true
      } catch {
        state.note(error)
        return false
      }
    }
  }

  /// Notes what else is known of a source whose body is stored already.
  func note(_ record: SourceRecord) async {
    await storing { (disk) throws(CacheTrouble) in try disk.note(record) }
    hot.forget(.source(record.key))
  }

  /// Gives a whole body its name and its rows.
  ///
  /// - Returns: whether it is stored.
  func publish(
    _ record: SourceRecord, _ file: @escaping @Sendable (CacheDisk) throws(CacheTrouble) -> TemporaryFile
  ) async -> Bool {
    let isStored = await storing { (disk) throws(CacheTrouble) in try disk.publish(try file(disk), as: record) }
    hot.forget(.source(record.key))
    return isStored
  }

  /// Stores what was derived. Where that is impossible the log says why, and nobody else is told: the bytes are at hand.
  ///
  /// - Returns: their digest.
  @discardableResult
  func store(_ bytes: [UInt8], as key: DerivedKey) async -> Digest {
    let digest = await threads.run { Digest.of(bytes) }
    await storing { (disk) throws(CacheTrouble) in try disk.store(bytes, digest, as: key) }
    hot.forget(.derived(key))
    return digest
  }

  /// Takes all the pictures that products show from now on; they are evicted last.
  func pin(_ keys: [SourceKey]) async {
    guard let disk else { return }
    await threads.run { [self] in
      do throws(CacheTrouble) {
        try disk.pin(keys)
        state.noteOtherPins()
      } catch {
        state.note(error)
      }
    }
  }
}
