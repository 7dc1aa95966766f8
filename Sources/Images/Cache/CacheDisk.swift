import CLinux
import Glibc
import HTTP
import Net
import SQLite
import Synchronization

/// The cache as it stands on the disk: the folder, the index, and what they may take.
///
/// Its calls block: they are for blocking threads. They throw what keeps the disk from being used; that a picture is not
/// there, or not whole, is no error.
final class CacheDisk: Sendable {
  /// What an operator allows the cache.
  struct Limits: Sendable {
    /// Bytes of the disk, temporary files and the index included.
    var bytes = Int.max
    /// Bytes that are left free on the disk; nil for a twentieth of it, 256 MiB at most.
    var minimumFree: Int?
  }

  private let threads: BlockingThreads
  private let keeper: RoomKeeper
  private let marks: VisitMarks
  private let pins = PinnedSources()
  /// Held while pins are brought into the index, so that the last catalog wins.
  private let pinning = Mutex(())
  private let leftovers: Leftovers
  /// Rows of bodies whose digest was found right in this run, and what their files were then.
  private let verified = Mutex<[Int64: FileStamp]>([:])

  var folder: CacheFolder { keeper.folder }
  var index: CacheIndex { keeper.index }
  var budget: DiskBudget { keeper.budget }

  /// Bodies up to this many bytes are handed around in memory, larger ones as files.
  static let memoryLimit = 1_048_576

  /// Opens the index in a folder.
  init(
    _ folder: CacheFolder, limits: Limits, threads: BlockingThreads, state: StoringState,
    log: @escaping @Sendable (String) -> Void
  ) throws(CacheTrouble) {
    let budget = DiskBudget(limit: limits.bytes)
    budget.setLimits(bytes: limits.bytes, minimumFree: limits.minimumFree ?? Self.usualMinimumFree(at: folder.path))
    let marks = VisitMarks()
    let leftovers = Leftovers(in: folder, threads: threads)
    self.leftovers = leftovers
    self.threads = threads
    self.marks = marks
    do throws(SQLiteError) {
      let index = try CacheIndex(
        path: folder.indexPath, budget: budget, marks: marks, onNewIndex: { leftovers.setObjectsAside() }, log: log)
      keeper = RoomKeeper(
        folder: folder, index: index, budget: budget, onCrowding: { state.noteCrowding() })
    } catch {
      throw error.trouble
    }
  }

  /// Takes other limits, and evicts what is too much for them.
  func limit(to limits: Limits) throws(CacheTrouble) {
    budget.setLimits(bytes: limits.bytes, minimumFree: limits.minimumFree ?? Self.usualMinimumFree(at: folder.path))
    try keeper.makeRoom(0, for: .pinned)
  }

  private static func usualMinimumFree(at path: String) -> Int {
    min(268_435_456, (FileCalls.space(at: path)?.total ?? 0) / 20)
  }

  // MARK: Finding

  /// A body that was found.
  struct Found {
    /// What is known of the source; nil for what was derived.
    let record: SourceRecord?
    let body: Response.Body
    let place: BodyPlace
  }

  /// What is known of a source, and its body; nil when there is none that is whole.
  func find(_ key: SourceKey) throws(CacheTrouble) -> Found? {
    do throws(SQLiteError) {
      guard let (record, stored) = try index.find(key), let body = try open(stored) else { return nil }
      return Found(record: record, body: body, place: place(of: stored))
    } catch {
      throw error.trouble
    }
  }

  /// A derived picture; nil when there is none that is whole.
  func find(_ key: DerivedKey) throws(CacheTrouble) -> Found? {
    do throws(SQLiteError) {
      guard let stored = try index.find(key), let body = try open(stored) else { return nil }
      return Found(record: nil, body: body, place: place(of: stored))
    } catch {
      throw error.trouble
    }
  }

  private func place(of stored: StoredBody) -> BodyPlace {
    BodyPlace(body: stored, stamp: verified.withLock { $0[stored.id] }, visit: visit(stored))
  }

  /// The bytes of a body that was found before, if the system has them in memory and nobody has touched its file. Unlike all
  /// else here this does not block: an event loop may ask.
  func bytesAtHand(_ place: BodyPlace) -> [UInt8]? {
    guard let stamp = place.stamp, place.body.bytes <= Self.atHandLimit else { return nil }
    // An evicted file is there for as long as it is open.
    return withExtendedLifetime(budget.hold(place.body.digest)) {
      FileCalls.readAtHand(folder.objectPath(place.body.digest), count: place.body.bytes, stamp)
    }
  }

  /// Copying more would keep an event loop from its other connections.
  private static let atHandLimit = 262_144

  private func visit(_ body: StoredBody) -> BodyVisit {
    let visit = BodyVisit(body.id, in: marks)
    visit.answerWasReused()
    return visit
  }

  /// Opens a body; drops one that is missing or damaged. What cannot be read now may be whole, and stays.
  private func open(_ stored: StoredBody) throws(SQLiteError) -> Response.Body? {
    do throws(BodyFault) {
      return try read(stored)
    } catch {
      if error == .damaged { try index.drop(stored, from: folder) }
      return nil
    }
  }

  private enum BodyFault: Error { case damaged, unreadable }

  private func read(_ stored: StoredBody) throws(BodyFault) -> Response.Body {
    let path = folder.objectPath(stored.digest)
    let hold = budget.hold(stored.digest)
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try FileCalls.open(path, O_RDONLY)
    } catch {
      throw [ENOENT, ENOTDIR, ELOOP].contains(error.code) ? .damaged : .unreadable
    }
    let file = PictureFile(descriptor: descriptor, count: stored.bytes, path: path, threads: threads, keeping: hold)
    guard clinux_file_size(descriptor) == Int64(stored.bytes) else { throw .damaged }
    let stamp = FileCalls.stamp(descriptor)
    guard stored.bytes <= Self.memoryLimit else {
      if !wasRight(stored, stamp) {
        guard file.digest == stored.digest else { throw .damaged }
        noteRight(stored, stamp)
      }
      return .source(file)
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileCalls.read(descriptor, path, count: stored.bytes, at: 0)
    } catch {
      throw .unreadable
    }
    // Some 10 µs for 20 KB, once per time that a body comes from the disk: a flipped bit never gets out.
    guard Digest.of(bytes) == stored.digest else { throw .damaged }
    noteRight(stored, stamp)
    return .bytes(bytes)
  }

  /// Whether a body's digest was found right in this run, and nobody has touched its file since. Enough for a large body, of
  /// which a digest costs a millisecond or two per MiB: what the disk itself does to it afterwards is not noticed before the
  /// next run.
  private func wasRight(_ stored: StoredBody, _ stamp: FileStamp?) -> Bool {
    guard let stamp else { return false }
    return verified.withLock { $0[stored.id] } == stamp
  }

  /// - Parameter stamp: what the file was before it was read.
  private func noteRight(_ stored: StoredBody, _ stamp: FileStamp?) {
    // A file system's clock is coarse: what was changed just now may be changed again without its showing.
    guard let stamp, stamp.seconds + 1 < clinux_wall_seconds() else { return }
    verified.withLock { verified in
      // Forgetting costs a second look each; growing without a bound would cost memory for ever.
      if verified.count >= 65_536 { verified = [:] }
      verified[stored.id] = stamp
    }
  }

  // MARK: Storing

  /// A file for the body of a source.
  func makeFile(for key: SourceKey, capacity: Int) throws(CacheTrouble) -> TemporaryFile {
    guard leftovers.areGone else { throw .clearing }
    return try TemporaryFile(for: pins.contains(key) ? .pinned : .original, capacity: capacity, in: keeper)
  }

  /// Gives a whole body its name and its rows.
  func publish(_ file: TemporaryFile, as record: SourceRecord) throws(CacheTrouble) {
    try publish(file, record.digest) { () throws(SQLiteError) in
      try index.store(record, isPinned: pins.contains(record.key))
    }
  }

  /// Notes what else is known of a source whose body is stored.
  func note(_ record: SourceRecord) throws(CacheTrouble) {
    do throws(SQLiteError) {
      try index.store(record, isPinned: pins.contains(record.key))
    } catch {
      throw error.trouble
    }
  }

  /// Stores what was derived.
  func store(_ bytes: [UInt8], _ digest: Digest, as key: DerivedKey) throws(CacheTrouble) {
    guard leftovers.areGone else { throw .clearing }
    let file = try TemporaryFile(for: .derived, capacity: bytes.count, in: keeper)
    try file.write(bytes)
    try publish(file, digest) { () throws(SQLiteError) in try index.store(digest, as: key) }
  }

  /// `note` writes down who refers to the body. It comes last: until then a crash leaves what was there before.
  private func publish(
    _ file: TemporaryFile, _ digest: Digest, _ note: () throws(SQLiteError) -> Bool
  ) throws(CacheTrouble) {
    // Nothing refers to it yet, so it would be the first to go.
    file.hold(as: digest)
    do throws(SQLiteError) {
      if try index.admit(digest, bytes: file.count) {
        file.noteAdmitted()
      } else {
        // The file that stands there is replaced, and with it whatever may be wrong with it.
        budget.noteUnlinked(digest, bytes: file.count)
      }
    } catch {
      throw error.trouble
    }
    do throws(FileError) { try file.publish(as: digest) } catch { throw error.trouble }
    do throws(SQLiteError) {
      _ = try note()
      while case .freed(let bytes) = try index.evict(.loose, diskBytes: .max, from: folder), bytes > 0 {}
    } catch {
      throw error.trouble
    }
  }

  // MARK: Sweeping

  /// Brings the index and the bodies into step, bit by bit, on blocking threads; ends when nobody uses the cache any more.
  func sweepInBackground(from prefix: UInt8 = 0) {
    threads.submit { [weak self] in
      // What cannot be swept now is swept after the next start.
      guard let self, (try? index.sweep(prefix, in: folder)) != nil, prefix < .max else { return }
      sweepInBackground(from: prefix + 1)
    }
  }

  // MARK: Pinning

  /// Takes all the sources that the catalog shows from now on.
  func pin(_ keys: [SourceKey]) throws(CacheTrouble) {
    try pinning.withLock { _ throws(CacheTrouble) in
      let change = pins.replace(with: keys)
      do throws(SQLiteError) {
        try forEachBatch(of: change.added) { (keys) throws(SQLiteError) in try index.setPinned(true, keys) }
        // What an earlier run has pinned is known to the index alone.
        if change.lostSome || change.added.count == keys.count { try unpin() }
      } catch {
        throw error.trouble
      }
    }
  }

  private func unpin() throws(SQLiteError) {
    var last: SourceKey?
    while true {
      let keys = try index.pinned(after: last, limit: 256)
      guard !keys.isEmpty else { return }
      last = keys.last
      let lost = keys.filter { !pins.contains($0) }
      if !lost.isEmpty { try forEachBatch(of: lost) { (keys) throws(SQLiteError) in try index.setPinned(false, keys) } }
    }
  }

  /// A transaction's journal has to fit into the room that is kept for it.
  private func forEachBatch(of keys: [SourceKey], _ work: ([SourceKey]) throws(SQLiteError) -> Void) throws(SQLiteError)
  {
    var rest = keys[...]
    while !rest.isEmpty {
      try work(Array(rest.prefix(16)))
      rest = rest.dropFirst(16)
    }
  }

  // MARK: Counting

  /// Bytes of the disk in use now.
  var used: Int { budget.used }

  /// How much of each rank is stored.
  func total(of rank: BodyRank) throws(CacheTrouble) -> BodyTotal {
    do throws(SQLiteError) { return try index.total(of: rank) } catch { throw error.trouble }
  }
}

extension SQLiteError {
  /// What this means for storing pictures.
  var trouble: CacheTrouble {
    switch kind {
    case .full: .full
    case .readOnly, .cannotOpen: .readOnly
    default: .other("the cache index cannot be used: \(self)")
    }
  }
}
