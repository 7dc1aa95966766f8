import Net

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

  /// - Parameters:
  ///   - executable: the worker program.
  ///   - workers: how many work at a time; one per usable core when nil.
  ///   - pictureBytes: bytes that one picture may take; by default what the largest pictures need.
  public init(executable: String, workers: Int? = nil, pictureBytes: Int = 256 << 20) {
    self.executable = executable
    self.workers = max(1, workers ?? Machine.usableCores)
    self.pictureBytes = pictureBytes
  }
}
