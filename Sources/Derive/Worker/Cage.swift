import CLinux

/// The cage that a worker locks itself into before it sees the first picture (images.md, section 5).
public struct Cage: Sendable {
  /// Bytes that a picture may take (`Budget.bytes`).
  public var pictureBytes: Int
  /// Seconds of CPU time in the worker's life. It is replaced long before, unless it hangs.
  public var cpuSeconds = 60

  /// What program, libraries and allocator take of the address space besides a picture.
  private static let ownBytes = 192 << 20
  /// Bytes that may be written for one job.
  static let outputBytes = 64 << 20

  /// A cage for pictures of up to so many bytes.
  public init(pictureBytes: Int) { self.pictureBytes = pictureBytes }

  /// Locks the process in, for ever. The process must have one thread.
  ///
  /// - Returns: nil when it is locked in, else the number of the system's error.
  public func enter() -> Int32? {
    clinux_return_memory()
    let limits = clinux_cage_limits(
      address_space: UInt64(pictureBytes + Self.ownBytes), cpu_seconds: UInt64(cpuSeconds),
      file_size: UInt64(Self.outputBytes))
    let result = clinux_enter_cage(limits)
    return result < 0 ? -result : nil
  }
}
