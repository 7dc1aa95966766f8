import DeriveWire

/// Reads a PNG's chunks up to its pixels (PNG, third edition, sections 5 and 11). Its colour profile is packed, so that
/// the codec reads it.
enum PNGHead {
  static func read(_ bytes: SourceBytes) throws(DeriveRefusal) -> PictureHead {
    guard let width = bytes.bigEndian(16, bytes: 4), let height = bytes.bigEndian(20, bytes: 4),
      let type = bytes.byte(25), let interlacing = bytes.byte(28)
    else { throw .truncated }
    guard bytes.hasPrefix("IHDR", at: 12), width > 0, height > 0 else { throw .broken }
    var head = PictureHead(width: width, height: height)
    head.hasAlpha = type & 4 != 0
    // Rows come one by one, unless they come in seven passes.
    if interlacing != 0 { head.decoderBytes = Budget.bytes(width, height) }
    var offset = 8
    while true {
      guard let length = bytes.bigEndian(offset, bytes: 4) else { throw .truncated }
      if bytes.hasPrefix("IDAT", at: offset + 4) { return head }
      guard let chunk = bytes.part(offset + 8, length) else { throw .truncated }
      if bytes.hasPrefix("tRNS", at: offset + 4) { head.hasAlpha = true }
      if bytes.hasPrefix("acTL", at: offset + 4) { head.isAnimated = true }
      if bytes.hasPrefix("eXIf", at: offset + 4) { head.orientation = Orientation(exif: chunk) }
      if bytes.hasPrefix("IEND", at: offset + 4) { throw .broken }
      offset += 12 + length
    }
  }
}
