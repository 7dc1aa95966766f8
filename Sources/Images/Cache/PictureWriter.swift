import CLinux
import Glibc
import HTTP
import Net

/// Takes a body as it comes from an origin, and stores it.
///
/// A small body stays in memory until it is whole and reaches the disk in one go; a large one goes to a temporary file
/// piece by piece. Where the disk refuses, the body goes on in memory (the fetch's own limit bounds it) and is served
/// without being stored. Belongs to one task.
final class PictureWriter {
  private let key: SourceKey
  private let store: PictureStore
  private let hasher = DigestHasher()
  /// Bytes that are not in the file yet; all of them as long as there is no file.
  private var pending: [UInt8] = []
  private var file: TemporaryFile?
  private var canStore: Bool
  private(set) var count = 0

  private static let pieceSize = 262_144

  /// - Parameter isStored: false for a body that must not be kept.
  init(for key: SourceKey, store: PictureStore, isStored: Bool) {
    self.key = key
    self.store = store
    canStore = isStored
  }

  /// The first bytes of the body, up to what telling its kind takes, while they are all there is.
  var prefix: [UInt8] { Array(pending.prefix(BodyKind.prefixLength)) }

  /// Takes the bytes that follow.
  func append(_ bytes: [UInt8]) async {
    hasher.update(bytes)
    count += bytes.count
    pending += bytes
    if canStore, pending.count >= (file == nil ? CacheDisk.memoryLimit + 1 : Self.pieceSize) { await writeOut() }
  }

  /// Moves what is pending to the file; on failure everything back to memory.
  private func writeOut() async {
    let (bytes, file, key) = (pending, file, key)
    typealias Outcome = (file: TemporaryFile?, rescued: [UInt8], trouble: CacheTrouble?)
    let outcome: Outcome = await store.threads.run { [store] in
      var opened = file
      do throws(CacheTrouble) {
        if opened == nil { opened = try store.diskForStoring().makeFile(for: key, capacity: bytes.count) }
        try opened?.write(bytes)
        return (opened, [], nil)
      } catch {
        // A piece may have been written in part; `count` knows the whole ones.
        return (nil, (try? opened?.contents()) ?? [], error)
      }
    }
    self.file = outcome.file
    guard let trouble = outcome.trouble else {
      pending = []
      return
    }
    store.note(trouble)
    canStore = false
    pending = outcome.rescued + bytes
  }

  /// Ends the body.
  ///
  /// - Parameter record: what the index is to say of it, given its digest and length.
  /// - Returns: the body as it is to be served, its digest, and whether it is stored; nil when the disk lost a part of it.
  func finish(
    record: (Digest, Int) -> SourceRecord
  ) async -> (body: Response.Body, record: SourceRecord, isStored: Bool)? {
    if file != nil, !pending.isEmpty { await writeOut() }
    let record = record(hasher.finish(), count)
    let (bytes, key) = (pending, key)
    guard canStore, let file else {
      // What was rescued from a failing disk may lack its beginning.
      guard bytes.count == count else { return nil }
      guard canStore else { return (.bytes(bytes), record, false) }
      let isStored = await store.publish(record) { (disk) throws(CacheTrouble) in
        let file = try disk.makeFile(for: key, capacity: bytes.count)
        try file.write(bytes)
        return file
      }
      return (.bytes(bytes), record, isStored)
    }
    let isStored = await store.publish(record) { (_) throws(CacheTrouble) in file }
    return (.source(file.takeBody(threads: store.threads)), record, isStored)
  }
}
