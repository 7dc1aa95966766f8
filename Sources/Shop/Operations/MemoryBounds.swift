import Net

/// How much memory each part of the server may keep, so that all of them together stay within what the machine has, or what
/// the control group of a container or a unit allows.
///
/// In a container of 64 MB that leaves about 28 MB to the program and its catalog; from 1 GB on every part has what does it
/// good.
public struct MemoryBounds: Equatable, Sendable {
  /// Bodies of pictures, in bytes.
  public let pictures: Int
  /// Answers that may be given again, in bytes for each event loop.
  public let answersPerLoop: Int
  /// Bodies of requests that are being read, in bytes for all clients together.
  public let requestBodies: Int
  /// Lines of the log that are not written yet, in bytes.
  public let log: Int
  /// Connections at a time; one that brings a head slowly holds some 25 KB.
  public let connections: Int
  /// Workers that make sizes of pictures.
  public let workers: Int
  /// What one picture may take there by the estimate of its head, in bytes; of a larger one no sizes are made.
  public let pictureInWorker: Int

  /// What a long picture of a phone's width needs by the estimate, which fears the dearest of the encoders: the others take a
  /// third of it. Less would leave shops without sizes; and should the memory end all the same, a worker does, and costs a
  /// picture.
  static let leastPicture = 40 << 20
  /// The memory of one connection at its worst, its body left out.
  static let connection = 26 << 10

  /// - Parameters:
  ///   - memory: bytes that there are.
  ///   - loops: event loops.
  ///   - cores: how many workers could work at a time.
  public init(memory: Int = Machine.usableMemory, loops: Int, cores: Int = Machine.usableCores) {
    func share(_ part: Int, atMost limit: Int) -> Int { min(memory / part, limit) }
    pictures = share(16, atMost: 32 << 20)
    answersPerLoop = min(share(16, atMost: 64 << 20) / max(1, loops), 16 << 20)
    requestBodies = share(16, atMost: 64 << 20)
    log = share(128, atMost: 1 << 20)
    connections = max(64, share(128 << 10, atMost: 4_096))
    let forWorkers = share(4, atMost: .max)
    workers = max(1, min(cores, forWorkers / (64 << 20)))
    pictureInWorker = min(max(forWorkers / workers, Self.leastPicture), 256 << 20)
  }
}
