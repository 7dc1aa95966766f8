import DeriveWire

/// Makes sizes of a picture: upright, in sRGB, without metadata.
///
/// What it makes of a picture depends on the picture and the size alone, never on what else was asked for, so that a name
/// stands for the same bytes for ever.
public struct Deriver: Sendable {
  /// What a picture may cost.
  public var budget: Budget

  /// A deriver with a budget.
  public init(budget: Budget) { self.budget = budget }

  /// What came of a picture.
  public struct Result {
    /// Pixels across and down, upright.
    public let width, height: Int
    /// Whether it has an alpha channel.
    public let hasAlpha: Bool
    /// What stands for it until it is there, when it was asked for.
    public let look: PictureLook?
    /// The encoded targets, in their order.
    public let pictures: [[UInt8]]
  }

  /// Derives the targets of a picture.
  ///
  /// - Throws: why the picture is refused. Refusing one for its head takes well under a millisecond.
  public func derive(
    _ bytes: SourceBytes, targets: [DeriveTarget], wantsLook: Bool
  ) throws(DeriveRefusal) -> Result {
    let codec = try codec(of: bytes)
    let head = try codec.head(of: bytes)
    guard !head.isAnimated else { throw .animated }
    guard head.hasAlpha || !targets.contains(where: { $0.format == .png }) else { throw .opaque }
    try budget.check(head, widths: targets.map { Int($0.width) } + (wantsLook ? [SizePlan.lookWidth] : []))

    let plan = SizePlan(head, targets: targets, wantsLook: wantsLook)
    var rasters: [SizePlan.Size: Raster] = [:]
    for (denominator, sizes) in plan.sizesByDenominator {
      try decode(bytes, codec, head, denominator, sizes) { rasters[$0] = $1 }
    }
    var pictures: [[UInt8]] = []
    for target in targets {
      guard let raster = rasters[plan.size(of: target)] else { throw .broken }
      pictures.append(try target.format.codec.encode(raster, hasAlpha: head.hasAlpha))
    }
    let look = plan.look.flatMap { rasters[$0] }.flatMap { raster in
      let small = raster.shrunk(toSide: ThumbHash.longestSide, hasAlpha: head.hasAlpha)
      return PictureLook(color: MeanColor(of: small).code, thumbHash: ThumbHash.hash(of: small))
    }
    let (width, height) = head.uprightSize
    return Result(width: width, height: height, hasAlpha: head.hasAlpha, look: look, pictures: pictures)
  }

  /// Decodes once, and makes all sizes that this decoding is for.
  private func decode(
    _ bytes: SourceBytes, _ codec: any PictureCodec.Type, _ head: PictureHead, _ denominator: Int,
    _ sizes: [SizePlan.Size], _ take: (SizePlan.Size, Raster) -> Void
  ) throws(DeriveRefusal) {
    let (width, height) = codec.decodedSize(head, denominator: denominator)
    let resamplers = sizes.map { size in
      Resampler(
        width: width, height: height, trueWidth: Double(head.width) / Double(denominator),
        trueHeight: Double(head.height) / Double(denominator),
        target: head.orientation.isSideways ? (size.height, size.width) : (size.width, size.height),
        hasAlpha: head.hasAlpha)
    }
    var group = ResamplerGroup(resamplers, width: width, hasAlpha: head.hasAlpha)
    let color = try codec.decode(bytes, head, denominator: denominator, budget: budget) { group.add($0) }
    for (size, resampler) in zip(sizes, resamplers) {
      var raster = resampler.raster
      color.convertToSRGB(&raster)
      take(size, raster.upright(head.orientation))
    }
  }
}

/// Which rasters a job needs, and out of which decoding each comes.
private struct SizePlan {
  struct Size: Hashable {
    let width, height: Int
    let denominator: Int
  }

  /// The colour and the placeholder are made of the smallest size, which is mostly made in the same job.
  static let lookWidth = 320

  private let head: PictureHead
  /// What the look is made of, when it is wanted.
  let look: Size?
  let sizesByDenominator: [Int: [Size]]

  init(_ head: PictureHead, targets: [DeriveTarget], wantsLook: Bool) {
    self.head = head
    look = wantsLook ? Self.size(of: head, atMost: Self.lookWidth) : nil
    let sizes = Set(targets.map { Self.size(of: head, atMost: Int($0.width)) }).union(look.map { [$0] } ?? [])
    sizesByDenominator = Dictionary(grouping: sizes, by: \.denominator)
  }

  func size(of target: DeriveTarget) -> Size { Self.size(of: head, atMost: Int(target.width)) }

  private static func size(of head: PictureHead, atMost width: Int) -> Size {
    let size = SizeRule.size(of: head, atMost: width)
    return Size(
      width: size.width, height: size.height, denominator: SizeRule.denominator(of: head, atMost: width))
  }
}
