import CLinux
import Glibc
import SQLite

/// Looking after the stored bodies: counting, checking and removing them.
extension CacheDisk {
  /// What is known of a source whose body is there in its full length; the body is not read.
  func record(of key: SourceKey) -> SourceRecord? {
    // What cannot be read is as good as unknown.
    guard let record = try? index.find(key)?.record,
      let descriptor = try? FileCalls.open(folder.objectPath(record.digest), O_RDONLY)
    else { return nil }
    defer { clinux_close(descriptor) }
    return clinux_file_size(descriptor) == Int64(record.bytes) ? record : nil
  }

  // MARK: Checking

  /// What a look at a body's file came to.
  enum Soundness: Equatable {
    case sound
    /// It has other bytes than its name says; it is dropped.
    case damaged
    /// It is not there; it is forgotten.
    case lost
    /// It is coming or going just now, or cannot be read.
    case unknown
  }

  /// Some bodies after a row, in the order of rows.
  func bodies(after id: Int64, limit: Int) throws(CacheTrouble) -> [StoredBody] {
    do throws(SQLiteError) { return try index.bodies(after: id, limit: limit) } catch { throw error.trouble }
  }

  /// Reads a body's file, and drops it when its bytes are not those of its digest.
  func check(_ body: StoredBody) throws(CacheTrouble) -> Soundness {
    // A file gets its place after its row.
    guard !budget.isHeld(body.digest) else { return .unknown }
    let hold = budget.hold(body.digest)
    let soundness = withExtendedLifetime(hold) { look(at: body) }
    guard soundness == .damaged || soundness == .lost else { return soundness }
    do throws(SQLiteError) { try index.drop(body, from: folder) } catch { throw error.trouble }
    return soundness
  }

  private func look(at body: StoredBody) -> Soundness {
    let path = folder.objectPath(body.digest)
    do throws(FileError) {
      let descriptor = try FileCalls.open(path, O_RDONLY)
      defer { clinux_close(descriptor) }
      guard clinux_file_size(descriptor) == Int64(body.bytes) else { return .damaged }
      let hasher = DigestHasher()
      var read = 0
      while read < body.bytes {
        let piece = try FileCalls.read(descriptor, path, count: min(1 << 20, body.bytes - read), at: read)
        guard !piece.isEmpty else { return .damaged }
        hasher.update(piece)
        read += piece.count
      }
      return hasher.finish() == body.digest ? .sound : .damaged
    } catch {
      return error.code == ENOENT ? .lost : .unknown
    }
  }

  // MARK: Removing

  /// Removes a body and all that refers to it.
  func remove(_ body: StoredBody) throws(CacheTrouble) {
    do throws(SQLiteError) { try index.drop(body, from: folder) } catch { throw error.trouble }
  }

  /// Removes what is stored of a source, and what was made from it; the bodies go unless others have the same.
  ///
  /// - Returns: what there was; nil when there was nothing.
  func remove(_ key: SourceKey, isDryRun: Bool) throws(CacheTrouble) -> StoredBody? {
    do throws(SQLiteError) {
      guard let (_, body) = try index.find(key) else { return nil }
      guard !isDryRun else { return body }
      try index.forget(key)
      while case .freed(let bytes) = try index.evict(.loose, diskBytes: .max, from: folder), bytes > 0 {}
      return body
    } catch {
      throw error.trouble
    }
  }
}
