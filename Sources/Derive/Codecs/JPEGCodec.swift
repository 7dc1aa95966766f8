import CCodecs
import DeriveWire

/// JPEG by libjpeg-turbo: baseline and progressive, Huffman and arithmetic, gray, RGB, CMYK.
enum JPEGCodec: PictureCodec {
  static func head(of bytes: SourceBytes) throws(DeriveRefusal) -> PictureHead { try JPEGHead.read(bytes) }

  static func decode(
    _ bytes: SourceBytes, _ head: PictureHead, denominator: Int, budget: Budget,
    row: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(DeriveRefusal) -> PixelColor {
    guard let start = bytes.start else { throw .truncated }
    let limits = ccodecs_jpeg_limits(
      denominator: UInt32(denominator), memory: budget.bytes, scans: Int32(Budget.scans))
    var rows = ccodecs_jpeg_rows()
    var result = CCODECS_OK
    guard let jpeg = ccodecs_jpeg_open(start, bytes.count, limits, &rows, &result) else {
      try result.check()
      throw .broken
    }
    defer { ccodecs_jpeg_close(jpeg) }
    let (width, height) = decodedSize(head, denominator: denominator)
    guard rows.width == width, rows.height == height else { throw .broken }
    var line = [UInt8](repeating: 0, count: 4 * width)
    for _ in 0..<height {
      try line.withUnsafeMutableBufferPointer { (line) throws(DeriveRefusal) in
        guard let target = line.baseAddress else { throw .broken }
        try ccodecs_jpeg_next(jpeg, target).check()
        row(UnsafeBufferPointer(line))
      }
    }
    try ccodecs_jpeg_finish(jpeg).check()
    return PixelColor(space(rows), profile: head.profile.flatMap { Array($0.raw) })
  }

  private static func space(_ rows: ccodecs_jpeg_rows) -> PixelColor.Space {
    switch rows.space {
    case CCODECS_JPEG_GRAY: .gray
    case CCODECS_JPEG_CMYK: .cmyk(isInverted: rows.is_inverted != 0)
    default: .rgb
    }
  }

  static func encode(_ raster: Raster, hasAlpha: Bool) throws(DeriveRefusal) -> [UInt8] {
    try encoded(hasAlpha ? raster.onWhite() : raster) {
      ccodecs_jpeg_encode($0, $1, $2, Pipeline.jpegQuality, $3, $4)
    }
  }
}
