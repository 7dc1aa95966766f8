import CLinux
import HTTP
import Net

/// A file in memory that is shared with a worker; closed when nobody has it any more.
///
/// Its calls copy memory, and wait for nothing else.
final class MemoryFile: Sendable {
  let descriptor: Int32
  /// Bytes that the server put in.
  let count: Int

  /// An empty file, for a worker to write to; nil when there is no descriptor left.
  convenience init?() { self.init(clinux_memory_file("derived"), count: 0) }

  private init?(_ descriptor: Int32, count: Int) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    self.count = count
  }

  deinit { clinux_close(descriptor) }

  /// A file that holds a body, sealed: neither worker nor server can change it any more. nil when memory or descriptors
  /// have run out, or the body cannot be read.
  ///
  /// - Parameter threads: where a body that is in memory is copied.
  static func holding(_ body: Response.Body, on threads: BlockingThreads) async -> MemoryFile? {
    switch body {
    case .empty, .stream: return nil
    case .bytes(let bytes):
      return await threads.run {
        guard let file = MemoryFile(clinux_memory_file("picture"), count: bytes.count), file.append(bytes) else {
          return nil
        }
        return file.sealed
      }
    case .source(let source):
      guard let file = MemoryFile(clinux_memory_file("picture"), count: source.count) else { return nil }
      var offset = 0
      while offset < source.count {
        let piece = await source.bytes(offset..<min(offset + pieceSize, source.count))
        guard !piece.isEmpty, file.append(piece) else { return nil }
        offset += piece.count
      }
      return file.sealed
    }
  }

  private static let pieceSize = 262_144

  private var sealed: MemoryFile? { clinux_seal(descriptor) >= 0 ? self : nil }

  private func append(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        rest.baseAddress.map { clinux_write(descriptor, $0, rest.count) } ?? 0
      }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Bytes that are in the file now.
  var size: Int { Int(clamping: clinux_file_size(descriptor)) }

  /// A part of the file; nil when it is not there.
  func read(_ count: Int, at offset: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      guard let start = bytes.baseAddress else { return }
      while filled < count {
        let read = clinux_pread(descriptor, start + filled, count - filled, Int64(offset + filled))
        guard read > 0 else { return }
        filled += read
      }
    }
    return bytes.count == count ? bytes : nil
  }
}
