import CLinux
import HTTP
import Net

/// A stored body that is too large to hand around in memory: an open file, read piece by piece while it is sent.
///
/// It stays readable when the cache drops or replaces the body meanwhile.
public final class PictureFile: BodySource {
  /// Its length in bytes.
  public let count: Int
  private let descriptor: Int32
  private let path: String
  private let threads: BlockingThreads

  /// What keeps its bytes counted as long as the disk has them.
  private let owner: any Sendable

  /// Takes over an open descriptor.
  init(descriptor: Int32, count: Int, path: String, threads: BlockingThreads, keeping owner: any Sendable) {
    self.descriptor = descriptor
    self.count = count
    self.path = path
    self.threads = threads
    self.owner = owner
  }

  deinit { clinux_close(descriptor) }

  /// The SHA-256 of its bytes; nil when they cannot be read. Blocks while they are.
  var digest: Digest? {
    let hasher = DigestHasher()
    for start in stride(from: 0, to: count, by: 262_144) {
      let length = min(262_144, count - start)
      guard let bytes = try? FileCalls.read(descriptor, path, count: length, at: start), bytes.count == length else {
        return nil
      }
      hasher.update(bytes)
    }
    return hasher.finish()
  }

  /// Reads a part on a blocking thread; fewer bytes than asked for mean that the disk failed or the file was cut.
  public func bytes(_ range: Range<Int>) async -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return await threads.run { [self] in
      (try? FileCalls.read(descriptor, path, count: range.count, at: range.lowerBound)) ?? []
    }
  }
}
