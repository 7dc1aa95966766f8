import CLinux

/// How sizes of pictures are derived.
public struct DerivingConfiguration: Sendable {
  /// The worker program, `banchan-derive`.
  public var executable: String
  /// How many work at a time.
  public var workers: Int
  /// How many pictures may wait for a worker; further ones are told to come again.
  public var waiting = 64
  /// Bytes that one picture may take to decode and to make.
  public var pictureBytes: Int
  /// Milliseconds for one picture, after which its worker is killed. A busy machine must not look like a hang, as workers
  /// give way to everything else.
  public var jobMilliseconds: Int64 = 20_000
  /// Milliseconds for a worker to start.
  public var startMilliseconds: Int64 = 10_000
  /// Pictures after which a worker is replaced, and seconds of CPU time.
  public var jobsPerWorker = 500
  /// Seconds of CPU time after which it is replaced.
  public var cpuSecondsPerWorker: UInt64 = 30

  /// The usual: a worker per core, and a share of the machine's memory.
  ///
  /// - Parameters:
  ///   - executable: the worker program.
  ///   - workers: how many work at a time; one per usable core when nil.
  public init(executable: String, workers: Int? = nil) {
    self.executable = executable
    let workers = max(1, workers ?? Int(clinux_usable_cores()))
    self.workers = workers
    // All workers together take half of the memory at most, and none more than the largest pictures need.
    let share = Int(clamping: clinux_usable_memory()) / (2 * workers)
    pictureBytes = min(max(share, 48 << 20), 256 << 20)
  }
}
