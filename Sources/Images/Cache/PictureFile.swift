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

  /// Takes over an open descriptor.
  init(descriptor: Int32, count: Int, path: String, threads: BlockingThreads) {
    self.descriptor = descriptor
    self.count = count
    self.path = path
    self.threads = threads
  }

  deinit { clinux_close(descriptor) }

  /// Reads a part on a blocking thread; fewer bytes than asked for mean that the disk failed or the file was cut.
  public func bytes(_ range: Range<Int>) async -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return await threads.run { [self] in
      (try? FileCalls.read(descriptor, path, count: range.count, at: range.lowerBound)) ?? []
    }
  }
}
