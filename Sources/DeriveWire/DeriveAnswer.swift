/// What a worker says.
public enum DeriveAnswer: Hashable, Sendable {
  /// It is caged and waits for jobs; its pipeline's letter (`Pipeline.letter`) says what it makes.
  case ready(pipeline: UInt8)
  /// The job is done. What was made stands in the job's second memory file, target after target.
  case derived(number: UInt32, Derivation)
  /// The picture is refused.
  case refused(number: UInt32, DeriveRefusal)

  /// The answer as one message.
  public var message: [UInt8] {
    switch self {
    case .ready(let pipeline):
      var writer = WireWriter(kind: .ready)
      writer.write(pipeline)
      return writer.bytes
    case .derived(let number, let derivation):
      var writer = WireWriter(kind: .derived)
      writer.write(number)
      derivation.write(to: &writer)
      return writer.bytes
    case .refused(let number, let refusal):
      var writer = WireWriter(kind: .refused)
      writer.write(number)
      writer.write(refusal.rawValue)
      return writer.bytes
    }
  }

  /// Reads a message; nil for anything that is not exactly one answer.
  public init?(message: [UInt8]) {
    if var reader = WireReader(message, kind: .ready) {
      guard let pipeline = reader.uint8(), reader.isAtEnd else { return nil }
      self = .ready(pipeline: pipeline)
    } else if var reader = WireReader(message, kind: .derived) {
      guard let number = reader.uint32(), let derivation = Derivation(&reader), reader.isAtEnd else { return nil }
      self = .derived(number: number, derivation)
    } else if var reader = WireReader(message, kind: .refused) {
      guard let number = reader.uint32(), let refusal = reader.uint8().flatMap(DeriveRefusal.init), reader.isAtEnd
      else { return nil }
      self = .refused(number: number, refusal)
    } else {
      return nil
    }
  }
}

/// What became of a picture that could be read.
public struct Derivation: Hashable, Sendable {
  /// Pixels across and down, upright.
  public let width, height: UInt16
  /// Whether it has an alpha channel.
  public let hasAlpha: Bool
  /// What stands for the picture until it is there, when it was asked for.
  public let look: PictureLook?
  /// The bytes of each target, in the order of the job.
  public let byteCounts: [UInt32]
  /// Microseconds of CPU time that the worker has used since it started.
  public let cpuMicroseconds: UInt64

  /// A derivation; nil for a picture without extent, and for more targets than a job has.
  public init?(
    width: UInt16, height: UInt16, hasAlpha: Bool, look: PictureLook?, byteCounts: [UInt32], cpuMicroseconds: UInt64
  ) {
    guard width > 0, height > 0, byteCounts.count <= DeriveJob.maximumTargets else { return nil }
    self.width = width
    self.height = height
    self.hasAlpha = hasAlpha
    self.look = look
    self.byteCounts = byteCounts
    self.cpuMicroseconds = cpuMicroseconds
  }

  func write(to writer: inout WireWriter) {
    writer.write(width)
    writer.write(height)
    writer.write(hasAlpha)
    writer.write(look != nil)
    if let look {
      writer.write(look.color)
      writer.write(UInt8(look.thumbHash.count))
      writer.bytes += look.thumbHash
    }
    writer.write(UInt8(byteCounts.count))
    for count in byteCounts { writer.write(count) }
    writer.write(cpuMicroseconds)
  }

  init?(_ reader: inout WireReader) {
    guard let width = reader.uint16(), let height = reader.uint16(), let hasAlpha = reader.flag(),
      let hasLook = reader.flag()
    else { return nil }
    var look: PictureLook?
    if hasLook {
      guard let color = reader.uint32(), let count = reader.uint8(), let hash = reader.take(Int(count)),
        let read = PictureLook(color: color, thumbHash: hash)
      else { return nil }
      look = read
    }
    guard let count = reader.uint8() else { return nil }
    var byteCounts: [UInt32] = []
    for _ in 0..<count {
      guard let bytes = reader.uint32() else { return nil }
      byteCounts.append(bytes)
    }
    guard let cpuMicroseconds = reader.uint64() else { return nil }
    self.init(
      width: width, height: height, hasAlpha: hasAlpha, look: look, byteCounts: byteCounts,
      cpuMicroseconds: cpuMicroseconds)
  }
}

/// What is shown of a picture before it is there.
public struct PictureLook: Hashable, Sendable {
  /// The colour that stands for it, `0xRRGGBB`.
  public let color: UInt32
  /// A ThumbHash, at most ``maximumHash`` bytes.
  public let thumbHash: [UInt8]

  /// The longest hash that the algorithm makes has 25 bytes.
  public static let maximumHash = 32

  /// A look; nil when the colour has more than 24 bits or the hash is none.
  public init?(color: UInt32, thumbHash: [UInt8]) {
    guard color <= 0xFF_FFFF, 5...Self.maximumHash ~= thumbHash.count else { return nil }
    self.color = color
    self.thumbHash = thumbHash
  }
}

/// Why a worker does not derive a picture.
public enum DeriveRefusal: UInt8, Error, CaseIterable, Sendable {
  /// Its bytes break the rules of its format, or hold what is not read here.
  case broken = 1
  /// It ends too early.
  case truncated = 2
  /// It has more pixels than are decoded, or longer sides.
  case tooManyPixels = 3
  /// Decoding it would take more memory or more work than a picture may.
  case overBudget = 4
  /// It moves.
  case animated = 5
  /// PNG was asked for, and it has no alpha channel.
  case opaque = 6
  /// It is of no format that is decoded.
  case unknownFormat = 7
}

extension DeriveRefusal: CustomStringConvertible {
  /// One clause that says what is wrong with the picture.
  public var description: String {
    switch self {
    case .broken: "its bytes cannot be decoded"
    case .truncated: "it ends too early"
    case .tooManyPixels: "it has more pixels than a picture may have"
    case .overBudget: "decoding it would take too much memory or work"
    case .animated: "it is an animation"
    case .opaque: "it has no transparency, so it is not offered as PNG"
    case .unknownFormat: "it is of no format that sizes are made of"
    }
  }
}
