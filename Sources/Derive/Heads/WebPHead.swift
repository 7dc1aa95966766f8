import DeriveWire

/// Reads a WebP's chunks (RFC 9649, section 2).
enum WebPHead {
  static func read(_ bytes: SourceBytes) throws(DeriveRefusal) -> PictureHead {
    guard let first = Chunk(bytes, at: 12) else { throw .truncated }
    if first.is("VP8X") { return try extended(bytes, first) }
    return try simple(first)
  }

  private struct Chunk {
    let file: SourceBytes
    let offset: Int
    let count: Int

    init?(_ file: SourceBytes, at offset: Int) {
      guard let count = file.littleEndian(offset + 4, bytes: 4) else { return nil }
      self.file = file
      self.offset = offset
      self.count = count
    }

    func `is`(_ name: StaticString) -> Bool { file.hasPrefix(name, at: offset) }
    /// Its content; nil when the file ends before it.
    var content: SourceBytes? { file.part(offset + 8, count) }
    /// The one after it, at an even place.
    var next: Chunk? { Chunk(file, at: offset + 8 + count + count % 2) }
  }

  /// A lossy or lossless picture without anything else.
  private static func simple(_ chunk: Chunk) throws(DeriveRefusal) -> PictureHead {
    guard let content = chunk.content else { throw .truncated }
    if chunk.is("VP8 ") {
      guard let width = content.littleEndian(6, bytes: 2), let height = content.littleEndian(8, bytes: 2) else {
        throw .truncated
      }
      return try head(width: width & 0x3FFF, height: height & 0x3FFF, isLossless: false)
    }
    guard chunk.is("VP8L"), let bits = content.littleEndian(1, bytes: 4) else { throw .broken }
    var head = try head(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1, isLossless: true)
    head.hasAlpha = bits >> 28 & 1 == 1
    return head
  }

  private static func extended(_ bytes: SourceBytes, _ first: Chunk) throws(DeriveRefusal) -> PictureHead {
    guard let content = first.content, let flags = content.byte(0), let width = content.littleEndian(4, bytes: 3),
      let height = content.littleEndian(7, bytes: 3)
    else { throw .truncated }
    var head = try head(width: width + 1, height: height + 1, isLossless: false)
    head.hasAlpha = flags & 0x10 != 0
    head.isAnimated = flags & 0x02 != 0
    if head.hasAlpha { head.decoderBytes += head.width * head.height }
    var chunk = first.next
    while let current = chunk {
      if current.is("VP8L") {
        head.decoderBytes = 2 * Budget.bytes(head.width, head.height)
      } else if current.is("ICCP"), let content = current.content {
        head.profile = [content]
      } else if current.is("EXIF"), let content = current.content {
        // Some programs write the marker of JPEG before it.
        let tiff = content.hasPrefix("Exif\0\0") ? content.part(6, content.count - 6) : content
        if let tiff { head.orientation = Orientation(exif: tiff) }
      }
      chunk = current.next
    }
    return head
  }

  private static func head(width: Int, height: Int, isLossless: Bool) throws(DeriveRefusal) -> PictureHead {
    guard width > 0, height > 0 else { throw .broken }
    var head = PictureHead(width: width, height: height)
    // The decoder gives the whole picture at once; of a lossless one it keeps another copy.
    head.decoderBytes = (isLossless ? 2 : 1) * Budget.bytes(width, height)
    return head
  }
}
