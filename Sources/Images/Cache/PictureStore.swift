import CLinux
import Glibc
import HTTP
import Net
import SQLite
import Synchronization

/// The pictures on the disk: bodies by their digest, and the index that says which source has which.
///
/// Never fails towards a client: what cannot be read is a miss, what cannot be written is served from memory. Why
/// nothing can be written is said once in the log and shown as ``trouble`` until a write works again.
final class PictureStore: Sendable {
  /// A body that was found, and what is known of it.
  struct Found: Sendable {
    let record: SourceRecord
    let body: Response.Body
  }

  /// A derived picture that was found.
  struct FoundDerived: Sendable {
    /// The SHA-256 of its bytes.
    let digest: Digest
    let body: Response.Body
  }

  /// Bodies up to this many bytes are handed around in memory, larger ones as files.
  static let memoryLimit = 1_048_576

  let threads: BlockingThreads
  private let path: String
  /// nil when the folder could not be opened at the start.
  let folder: CacheFolder?
  let index: CacheIndex?
  private let log: @Sendable (String) -> Void
  private let state = Mutex<CacheTrouble?>(nil)

  /// Opens the cache in a folder; where that is impossible for now, a store that stores nothing.
  ///
  /// Blocks while the folder is prepared: for the start of the program.
  ///
  /// - Throws: `CacheFault` when the folder is not ours to use.
  init(path: String, threads: BlockingThreads, log: @escaping @Sendable (String) -> Void) throws(CacheFault) {
    self.path = path
    self.threads = threads
    self.log = log
    var opened: (CacheFolder, CacheIndex)?
    var trouble: CacheTrouble?
    switch try CacheFolder.open(path) {
    case .success(let folder):
      do throws(SQLiteError) {
        opened = (folder, try CacheIndex(path: folder.indexPath, log: log))
      } catch {
        trouble = error.trouble
      }
    case .failure(let failure):
      trouble = failure
    }
    folder = opened?.0
    index = opened?.1
    if let trouble { note(trouble) }
  }

  /// Why pictures are not being stored; nil while they are.
  var trouble: CacheTrouble? { state.withLock { $0 } }

  /// Notes that storing failed; the first time, and when the reason changes, with a line in the log.
  func note(_ trouble: CacheTrouble) {
    let isNews = state.withLock { current in
      defer { current = trouble }
      return current != trouble
    }
    if isNews { log("images: pictures are served but not stored in \(path): \(trouble)") }
  }

  /// Notes that storing works.
  func noteSuccess() {
    let isNews = state.withLock { current in
      defer { current = nil }
      return current != nil
    }
    if isNews { log("images: pictures are stored in \(path) again") }
  }

  /// The body stored for a source; nil when there is none, or none that is whole.
  func find(_ key: SourceKey) async -> Found? {
    guard let index, let folder else { return nil }
    return await threads.run { [self] in
      do throws(SQLiteError) {
        guard let record = try index.record(of: key) else { return nil }
        if let body = open(record.digest, bytes: record.bytes, in: folder) { return Found(record: record, body: body) }
        try index.forget(key)
      } catch {
        note(error.trouble)
      }
      return nil
    }
  }

  /// The derived picture that is stored; nil when there is none, or none that is whole.
  func find(_ key: DerivedKey) async -> FoundDerived? {
    guard let index, let folder else { return nil }
    return await threads.run { [self] in
      do throws(SQLiteError) {
        guard let stored = try index.body(of: key) else { return nil }
        if let body = open(stored.digest, bytes: stored.bytes, in: folder) {
          return FoundDerived(digest: stored.digest, body: body)
        }
        try index.forget(key)
      } catch {
        note(error.trouble)
      }
      return nil
    }
  }

  /// Stores what was derived. Where that is impossible the log says why, and nobody else is told: the bytes are at hand.
  ///
  /// - Returns: their digest.
  @discardableResult
  func store(_ bytes: [UInt8], as key: DerivedKey) async -> Digest {
    guard let folder else { return Digest.of(bytes) }
    return await threads.run { [self] in
      let digest = Digest.of(bytes)
      do throws(CacheTrouble) {
        let file = try TemporaryFile.holding(bytes, in: folder)
        try publish(file, digest) { index throws(SQLiteError) in try index.store(digest, as: key) }
        noteSuccess()
      } catch {
        note(error)
      }
      return digest
    }
  }

  /// Opens a body; one that is missing or of another length than was stored is as good as none.
  private func open(_ digest: Digest, bytes count: Int, in folder: CacheFolder) -> Response.Body? {
    let path = folder.objectPath(digest)
    guard let descriptor = try? FileCalls.open(path, O_RDONLY) else { return nil }
    guard clinux_file_size(descriptor) == Int64(count) else {
      clinux_close(descriptor)
      FileCalls.remove(path)
      return nil
    }
    // Its digest is to be checked here, too, once damage on the disk is dealt with.
    guard count <= Self.memoryLimit else {
      return .source(PictureFile(descriptor: descriptor, count: count, path: path, threads: threads))
    }
    defer { clinux_close(descriptor) }
    guard let bytes = try? FileCalls.read(descriptor, path, count: count, at: 0), bytes.count == count else {
      return nil
    }
    return .bytes(bytes)
  }

  /// Gives a whole body its name and its rows; blocks.
  func publish(_ file: TemporaryFile, as record: SourceRecord) throws(CacheTrouble) {
    try publish(file, record.digest) { index throws(SQLiteError) in try index.store(record) }
  }

  /// `note` writes down who refers to the body. It comes last: until then a crash leaves what was there before.
  private func publish(
    _ file: TemporaryFile, _ digest: Digest, _ note: (CacheIndex) throws(SQLiteError) -> Bool
  ) throws(CacheTrouble) {
    guard let index else { throw trouble ?? .readOnly }
    do throws(SQLiteError) { try index.admit(digest, bytes: file.count) } catch { throw error.trouble }
    do throws(FileError) { try file.publish(as: digest) } catch { throw error.trouble }
    do throws(SQLiteError) { _ = try note(index) } catch { throw error.trouble }
  }
}

extension SQLiteError {
  /// What this means for storing pictures.
  fileprivate var trouble: CacheTrouble {
    switch kind {
    case .full: .full
    case .readOnly, .cannotOpen: .readOnly
    default: .other("the cache index cannot be used: \(self)")
    }
  }
}
