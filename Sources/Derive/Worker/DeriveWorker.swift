import CLinux
import DeriveWire

/// The life of a worker process: it locks itself in, takes jobs from descriptor 0 one after the other, and ends when the
/// other side closes.
public struct DeriveWorker {
  /// What becomes of one picture.
  public typealias Work = (SourceBytes, DeriveJob) throws(DeriveRefusal) -> Deriver.Result

  /// How the worker came to its end.
  public enum End: Equatable, Sendable {
    /// The other side has closed.
    case finished
    /// It could not lock itself in; the number of the system's error.
    case notCaged(Int32)
    /// The other side says what no server says.
    case nonsense
  }

  private static let socket: Int32 = 0
  private let cage: Cage
  private let work: Work

  /// A worker that derives.
  public init(cage: Cage) {
    let deriver = Deriver(budget: Budget(bytes: cage.pictureBytes))
    self.init(cage: cage) { (bytes, job) throws(DeriveRefusal) in
      try deriver.derive(bytes, targets: job.targets, wantsLook: job.wantsLook)
    }
  }

  /// A worker that does something else with each picture.
  public init(cage: Cage, work: @escaping Work) {
    self.cage = cage
    self.work = work
  }

  /// Works until the end.
  public func run() -> End {
    WarmUp.run()
    if let code = cage.enter() { return .notCaged(code) }
    guard send(.ready(pipeline: Pipeline.letter)) else { return .finished }
    while let received = receive() {
      guard let (job, source, output) = received else { return .nonsense }
      defer {
        clinux_close(source)
        clinux_close(output)
      }
      guard send(answer(to: job, source, output)) else { return .finished }
    }
    return .finished
  }

  private func send(_ answer: DeriveAnswer) -> Bool {
    let message = answer.message
    return clinux_message_send(Self.socket, message, message.count, nil, 0) == message.count
  }

  /// The next job with its two files: nil when there will be none, `.some(nil)` for anything that is no job.
  private func receive() -> (job: DeriveJob, source: Int32, output: Int32)?? {
    var descriptors: [Int32] = [-1, -1]
    var descriptorCount: Int32 = 0
    var received = 0
    let message = [UInt8](unsafeUninitializedCapacity: 256) { bytes, count in
      guard let start = bytes.baseAddress else { return }
      received = clinux_message_receive(Self.socket, start, bytes.count, &descriptors, 2, &descriptorCount)
      count = max(0, received)
    }
    guard received != 0 else { return nil }
    guard received > 0, descriptorCount == 2, let job = DeriveJob(message: message) else { return .some(nil) }
    return (job, descriptors[0], descriptors[1])
  }

  private func answer(to job: DeriveJob, _ source: Int32, _ output: Int32) -> DeriveAnswer {
    do throws(DeriveRefusal) {
      let result = try derive(job, source)
      for picture in result.pictures { try Self.write(picture, to: output) }
      let derivation = Derivation(
        width: UInt16(clamping: result.width), height: UInt16(clamping: result.height), hasAlpha: result.hasAlpha,
        look: result.look, byteCounts: result.pictures.map { UInt32(clamping: $0.count) },
        cpuMicroseconds: clinux_cpu_microseconds())
      guard let derivation else { throw .broken }
      return .derived(number: job.number, derivation)
    } catch {
      return .refused(number: job.number, error)
    }
  }

  private func derive(_ job: DeriveJob, _ source: Int32) throws(DeriveRefusal) -> Deriver.Result {
    let count = Int(job.byteCount)
    // Of a file that could still shrink, a mapping could lose its ground.
    guard count > 0, clinux_is_sealed(source) != 0 else { throw .truncated }
    guard let mapped = clinux_map(source, count) else { throw .overBudget }
    defer { clinux_unmap(mapped, count) }
    return try work(SourceBytes(UnsafeRawBufferPointer(start: mapped, count: count)), job)
  }

  private static func write(_ bytes: [UInt8], to output: Int32) throws(DeriveRefusal) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        rest.baseAddress.map { clinux_write(output, $0, rest.count) } ?? 0
      }
      guard count > 0 else { throw .overBudget }
      written += count
    }
  }
}

/// Uses everything once before the cage closes, so that nothing is loaded or looked up inside it.
private enum WarmUp {
  static func run() {
    var raster = Raster(width: 40, height: 30)
    for index in raster.pixels.indices { raster.pixels[index] = UInt8(truncatingIfNeeded: index &* 7) }
    let deriver = Deriver(budget: Budget(bytes: 64 << 20))
    for format in DerivedFormat.allCases {
      guard let bytes = try? format.codec.encode(raster, hasAlpha: true) else { continue }
      let targets = DerivedFormat.allCases.compactMap { DeriveTarget(width: 20, format: $0) }
      bytes.withUnsafeBytes { bytes in
        _ = try? deriver.derive(
          SourceBytes(bytes), targets: format == .jpeg ? Array(targets.dropLast()) : targets, wantsLook: true)
      }
    }
    PixelColor(.rgb, profile: Array("no profile".utf8)).convertToSRGB(&raster)
  }
}
