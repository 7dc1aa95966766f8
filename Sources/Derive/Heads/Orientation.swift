/// How a stored picture is turned to stand upright: the values of Exif's tag `Orientation` (CIPA DC-008, section 4.6.4).
enum Orientation: Int {
  case upright = 1
  case mirrored = 2
  case upsideDown = 3
  case mirroredUpsideDown = 4
  case mirroredSideways = 5
  /// To be turned a quarter clockwise.
  case leftSideDown = 6
  case mirroredSidewaysDown = 7
  /// To be turned a quarter counter-clockwise.
  case rightSideDown = 8

  /// Whether width and height change places.
  var isSideways: Bool { rawValue >= 5 }

  /// Where the pixel at a place of the upright picture is stored.
  ///
  /// - Parameters:
  ///   - width: of the stored picture.
  ///   - height: of the stored picture.
  func stored(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .upsideDown: (width - 1 - x, height - 1 - y)
    case .mirroredUpsideDown: (x, height - 1 - y)
    case .mirroredSideways: (y, x)
    case .leftSideDown: (y, height - 1 - x)
    case .mirroredSidewaysDown: (width - 1 - y, height - 1 - x)
    case .rightSideDown: (width - 1 - y, x)
    }
  }
}

extension Orientation {
  /// Reads the orientation out of Exif data (a TIFF structure); upright when it says nothing, or nothing that makes sense.
  init(exif bytes: SourceBytes) {
    self = Self.read(bytes) ?? .upright
  }

  private static func read(_ tiff: SourceBytes) -> Orientation? {
    let isLittle = tiff.hasPrefix("II")
    guard isLittle || tiff.hasPrefix("MM") else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      isLittle ? tiff.littleEndian(offset, bytes: count) : tiff.bigEndian(offset, bytes: count)
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for entry in 0..<count {
      let offset = directory + 2 + 12 * entry
      guard let tag = number(offset, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      // A short, of which there is one.
      guard number(offset + 2, 2) == 3, number(offset + 4, 4) == 1 else { return nil }
      return number(offset + 8, 2).flatMap(Orientation.init)
    }
    return nil
  }
}
