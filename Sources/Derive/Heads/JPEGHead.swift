import DeriveWire

/// Reads a JPEG's markers up to its first scan (ITU-T T.81, annex B).
enum JPEGHead {
  /// What a frame's header says.
  private struct Frame {
    let width, height, components: Int
    /// Whether each scan brings but a part of each coefficient.
    let isProgressive: Bool
    /// What all coefficients take together.
    let coefficientBytes: Int
  }

  static func read(_ bytes: SourceBytes) throws(DeriveRefusal) -> PictureHead {
    var frame: Frame?
    var orientation: Orientation?
    var profile: [(number: UInt8, bytes: SourceBytes)] = []
    var offset = 2
    while true {
      let (code, segment) = try nextSegment(bytes, &offset)
      switch code {
      case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA:
        guard frame == nil else { throw .broken }
        frame = try read(frame: segment, isProgressive: code == 0xC2 || code == 0xCA)
      case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF:
        throw .broken  // lossless and hierarchical: nobody's photographs
      case 0xE1 where segment.hasPrefix("Exif\0\0"):
        // The first one counts.
        if orientation == nil { orientation = segment.part(6, segment.count - 6).map(Orientation.init(exif:)) }
      case 0xE2 where segment.hasPrefix("ICC_PROFILE\0"):
        if let number = segment.byte(12), let part = segment.part(14, segment.count - 14) {
          profile.append((number, part))
        }
      case 0xDA:
        guard let frame, let scanned = segment.byte(0) else { throw .broken }
        var head = PictureHead(width: frame.width, height: frame.height)
        head.orientation = orientation ?? .upright
        head.profile = profile.sorted { $0.number < $1.number }.map(\.bytes)
        head.scalesWhileDecoding = true
        // Where further scans follow, all coefficients are kept until the last one has come.
        if frame.isProgressive || scanned < frame.components { head.decoderBytes = frame.coefficientBytes }
        return head
      default: break
      }
    }
  }

  /// The next marker that has a segment, and the segment without its length.
  private static func nextSegment(
    _ bytes: SourceBytes, _ offset: inout Int
  ) throws(DeriveRefusal) -> (code: UInt8, segment: SourceBytes) {
    while true {
      guard let mark = bytes.byte(offset), let code = bytes.byte(offset + 1) else { throw .truncated }
      // Fill bytes may stand before a marker; anything else there is passed over, as libjpeg does.
      guard mark == 0xFF, code != 0xFF, code != 0 else {
        offset += 1
        continue
      }
      offset += 2
      switch code {
      case 0x01, 0xD0...0xD7: continue
      case 0xD8, 0xD9: throw .broken
      default:
        guard let length = bytes.bigEndian(offset, bytes: 2) else { throw .truncated }
        guard length >= 2 else { throw .broken }
        guard let segment = bytes.part(offset + 2, length - 2) else { throw .truncated }
        offset += length
        return (code, segment)
      }
    }
  }

  private static func read(frame segment: SourceBytes, isProgressive: Bool) throws(DeriveRefusal) -> Frame {
    guard segment.byte(0) == 8, let height = segment.bigEndian(1, bytes: 2), let width = segment.bigEndian(3, bytes: 2),
      let components = segment.byte(5), components > 0, width > 0, height > 0
    else { throw .broken }
    // Blocks in a unit of all components, and the units that the largest sampling makes.
    var (blocks, across, down) = (0, 1, 1)
    for index in 0..<Int(components) {
      guard let sampling = segment.byte(7 + 3 * index) else { throw .broken }
      let (horizontal, vertical) = (Int(sampling >> 4), Int(sampling & 15))
      guard 1...4 ~= horizontal, 1...4 ~= vertical else { throw .broken }
      blocks += horizontal * vertical
      across = max(across, horizontal)
      down = max(down, vertical)
    }
    let units = ((width + 8 * across - 1) / (8 * across)) * ((height + 8 * down - 1) / (8 * down))
    return Frame(
      width: width, height: height, components: Int(components), isProgressive: isProgressive,
      coefficientBytes: units * blocks * 64 * 2)
  }
}
