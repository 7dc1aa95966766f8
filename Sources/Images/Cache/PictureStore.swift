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

  /// Bodies up to this many bytes are handed around in memory, larger ones as files.
  static let memoryLimit = 1_048_576

  let threads: BlockingThreads
  private let path: String
  /// nil when the folder could not be opened at the start.
  let folder: CacheFolder?
  private let index: CacheIndex?
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
        if let body = body(of: record, in: folder) { return Found(record: record, body: body) }
        try index.forget(key)
      } catch {
        note(error.trouble)
      }
      return nil
    }
  }

  /// Opens a body; one that is missing or of another length than was stored is as good as none.
  private func body(of record: SourceRecord, in folder: CacheFolder) -> Response.Body? {
    let path = folder.objectPath(record.digest)
    guard let descriptor = try? FileCalls.open(path, O_RDONLY) else { return nil }
    guard clinux_file_size(descriptor) == Int64(record.bytes) else {
      clinux_close(descriptor)
      FileCalls.remove(path)
      return nil
    }
    // Its digest is to be checked here, too, once damage on the disk is dealt with.
    guard record.bytes <= Self.memoryLimit else {
      return .source(PictureFile(descriptor: descriptor, count: record.bytes, path: path, threads: threads))
    }
    defer { clinux_close(descriptor) }
    guard let bytes = try? FileCalls.read(descriptor, path, count: record.bytes, at: 0), bytes.count == record.bytes
    else {
      return nil
    }
    return .bytes(bytes)
  }

  /// Gives a whole body its name and its row; blocks.
  func publish(_ file: TemporaryFile, as record: SourceRecord) throws(CacheTrouble) {
    guard let index else { throw trouble ?? .readOnly }
    do throws(FileError) { try file.publish(as: record.digest) } catch { throw error.trouble }
    do throws(SQLiteError) { try index.store(record) } catch { throw error.trouble }
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
