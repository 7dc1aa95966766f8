/// The formats that sizes are made in.
public enum DerivedFormat: UInt8, CaseIterable, Sendable {
  case jpeg = 1
  case webp = 2
  case png = 3
}

/// One size that is wanted of a picture.
public struct DeriveTarget: Hashable, Sendable {
  /// Pixels across at most; a picture that is narrower keeps its width.
  public let width: UInt16
  /// What it is encoded as.
  public let format: DerivedFormat

  /// A target; nil for a width of 0.
  public init?(width: UInt16, format: DerivedFormat) {
    guard width > 0 else { return nil }
    self.width = width
    self.format = format
  }
}

/// What the server asks of a worker: one picture, some sizes of it.
///
/// With it come two memory files: the picture, sealed, and an empty one for what is made of it.
public struct DeriveJob: Hashable, Sendable {
  /// Tells this job's answer from a belated one.
  public let number: UInt32
  /// How many bytes the picture has.
  public let byteCount: UInt32
  /// Whether the colour and the placeholder are wanted.
  public let wantsLook: Bool
  /// The sizes, at most ``maximumTargets``; none where only the facts are wanted.
  public let targets: [DeriveTarget]

  /// The most sizes that one job may ask for.
  public static let maximumTargets = 9

  /// A job; nil when it asks for too much.
  public init?(number: UInt32, byteCount: UInt32, wantsLook: Bool, targets: [DeriveTarget]) {
    guard targets.count <= Self.maximumTargets else { return nil }
    self.number = number
    self.byteCount = byteCount
    self.wantsLook = wantsLook
    self.targets = targets
  }

  /// The job as one message.
  public var message: [UInt8] {
    var writer = WireWriter(kind: .job)
    writer.write(number)
    writer.write(byteCount)
    writer.write(wantsLook)
    writer.write(UInt8(targets.count))
    for target in targets {
      writer.write(target.width)
      writer.write(target.format.rawValue)
    }
    return writer.bytes
  }

  /// Reads a message; nil unless it is exactly one job.
  public init?(message: [UInt8]) {
    guard var reader = WireReader(message, kind: .job), let number = reader.uint32(), let byteCount = reader.uint32(),
      let wantsLook = reader.flag(), let count = reader.uint8()
    else { return nil }
    var targets: [DeriveTarget] = []
    for _ in 0..<count {
      guard let width = reader.uint16(), let format = reader.uint8().flatMap(DerivedFormat.init),
        let target = DeriveTarget(width: width, format: format)
      else { return nil }
      targets.append(target)
    }
    guard reader.isAtEnd else { return nil }
    self.init(number: number, byteCount: byteCount, wantsLook: wantsLook, targets: targets)
  }
}
