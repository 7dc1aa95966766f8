import CLinux
import DeriveWire
import Glibc
import Net

/// A worker process as the server sees it. All its calls block: they are for blocking threads.
///
/// What a worker says is taken for what a broken-into decoder might say: checked, and never more than its job was about.
///
/// `@unchecked Sendable`: a worker belongs to the one thread that has taken it from the pool, and is handed on under the
/// pool's lock.
final class WorkerProcess: @unchecked Sendable {
  /// Why a worker could not do a job.
  enum Fault: Error {
    /// It was gone before it took the job.
    case gone
    /// It came to grief over the job; what happened.
    case lost(String)
  }

  private let socket: Int32
  private let handle: Int32
  private var number: UInt32 = 0
  private(set) var jobs = 0
  private(set) var cpuMicroseconds: UInt64 = 0

  /// Starts a worker, and waits until it has locked itself in.
  ///
  /// - Throws: why there is none, for the operator.
  init(_ configuration: DerivingConfiguration) throws(StartFault) {
    var ends: [Int32] = [-1, -1]
    let paired = clinux_message_pair(&ends)
    guard paired >= 0 else { throw StartFault("there is no socket for it: \(systemMessage(-paired))") }
    let words = [configuration.executable, "--memory", "\(configuration.pictureBytes)"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var handle: Int32 = -1
    let started = clinux_start_worker(configuration.executable, &arguments, ends[1], &handle)
    clinux_close(ends[1])
    guard started >= 0 else {
      clinux_close(ends[0])
      throw StartFault("\(configuration.executable) cannot be started: \(systemMessage(-started))")
    }
    socket = ends[0]
    self.handle = handle
    switch receive(within: configuration.startMilliseconds) {
    case .success(.ready(let pipeline)) where pipeline == Pipeline.letter: return
    case .success(.ready): throw StartFault("\(configuration.executable) is of another build than this server")
    case .success: throw StartFault("\(configuration.executable) says something else than that it is ready")
    case .failure(let silence): throw StartFault("\(configuration.executable) \(silence) before it was ready")
    }
  }

  /// Why there is no worker.
  struct StartFault: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// Ends it for certain.
  deinit {
    clinux_close(socket)
    clinux_end_worker(handle)
  }

  /// Has a picture derived. After a fault other than a refusal the worker is of no use any more.
  ///
  /// - Parameter source: a sealed memory file with the picture.
  func derive(
    _ source: MemoryFile, _ targets: [DeriveTarget], wantsLook: Bool, within milliseconds: Int64
  ) throws(Fault) -> Result<DerivedPictures, DeriveRefusal> {
    number &+= 1
    jobs += 1
    guard let output = MemoryFile(),
      let job = DeriveJob(
        number: number, byteCount: UInt32(clamping: source.count), wantsLook: wantsLook, targets: targets)
    else { throw .lost("this server has no descriptor for another file") }
    let message = job.message
    let sent = clinux_message_send(socket, message, message.count, [source.descriptor, output.descriptor], 2)
    guard sent == message.count else { throw .gone }
    switch receive(within: milliseconds) {
    case .failure(let silence): throw .lost("its worker \(silence)")
    case .success(.refused(number, let refusal)): return .failure(refusal)
    case .success(.derived(number, let derivation)):
      cpuMicroseconds = derivation.cpuMicroseconds
      guard let pictures = Self.pictures(derivation, of: job, in: output) else {
        throw .lost("its worker answered with nonsense")
      }
      return .success(pictures)
    case .success: throw .lost("its worker answered with nonsense")
    }
  }

  /// What a worker does instead of answering.
  private enum Silence: Error, CustomStringConvertible {
    case ended, late, babble
    var description: String {
      switch self {
      case .ended: "ended"
      case .late: "did not answer in time"
      case .babble: "said something that is no answer"
      }
    }
  }

  private func receive(within milliseconds: Int64) -> Result<DeriveAnswer, Silence> {
    let deadline = clinux_monotonic_milliseconds() + milliseconds
    while true {
      let left = deadline - clinux_monotonic_milliseconds()
      guard left > 0 else { return .failure(.late) }
      if clinux_wait_readable(socket, Int32(clamping: left)) != 0 { break }
    }
    var received = 0
    let message = [UInt8](unsafeUninitializedCapacity: 512) { bytes, count in
      guard let start = bytes.baseAddress else { return }
      received = clinux_message_receive(socket, start, bytes.count, nil, 0, nil)
      count = max(0, received)
    }
    guard received != 0, received != -Int(ECONNRESET) else { return .failure(.ended) }
    guard received > 0, let answer = DeriveAnswer(message: message) else { return .failure(.babble) }
    return .success(answer)
  }

  /// Reads what was made; nil when it is not what the job was about.
  private static func pictures(
    _ derivation: Derivation, of job: DeriveJob, in output: MemoryFile
  ) -> DerivedPictures? {
    let counts = derivation.byteCounts.map { Int($0) }
    guard counts.count == job.targets.count, (derivation.look != nil) == job.wantsLook,
      counts.allSatisfy({ $0 > 0 }), output.size == counts.reduce(0, +)
    else { return nil }
    var bodies: [[UInt8]] = []
    var offset = 0
    for (count, target) in zip(counts, job.targets) {
      guard let body = output.read(count, at: offset),
        BodyKind(prefix: Array(body.prefix(BodyKind.prefixLength))) == .picture(PictureFormat(target.format))
      else { return nil }
      bodies.append(body)
      offset += count
    }
    let measure = derivation.look.map { look in
      PictureMeasure(
        width: Int(derivation.width), height: Int(derivation.height), color: look.color, thumbHash: look.thumbHash)
    }
    return DerivedPictures(bodies: bodies, measure: measure)
  }
}

extension PictureFormat {
  /// The format that a worker encodes.
  init(_ format: DerivedFormat) {
    switch format {
    case .jpeg: self = .jpeg
    case .webp: self = .webp
    case .png: self = .png
    }
  }

  /// What a worker is told to encode; nil for a format that is not derived.
  var derived: DerivedFormat? {
    switch self {
    case .jpeg: .jpeg
    case .webp: .webp
    case .png: .png
    default: nil
    }
  }
}
