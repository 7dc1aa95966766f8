import CCodecs
import DeriveWire

/// PNG by libpng: every colour type and depth, interlaced or not.
enum PNGCodec: PictureCodec {
  static func head(of bytes: SourceBytes) throws(DeriveRefusal) -> PictureHead { try PNGHead.read(bytes) }

  static func decode(
    _ bytes: SourceBytes, _ head: PictureHead, denominator: Int, budget: Budget,
    row: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(DeriveRefusal) -> PixelColor {
    guard let start = bytes.start else { throw .truncated }
    var rows = ccodecs_png_rows()
    var result = CCODECS_OK
    guard let png = ccodecs_png_open(start, bytes.count, Budget.chunkBytes, &rows, &result) else {
      try result.check()
      throw .broken
    }
    defer { ccodecs_png_close(png) }
    guard rows.width == head.width, rows.height == head.height else { throw .broken }
    let length = 4 * head.width
    // The passes of an interlaced picture add to the same rows, so all of them are kept.
    let isInterlaced = rows.passes > 1
    var lines = [UInt8](repeating: 0, count: isInterlaced ? length * head.height : length)
    for pass in 1...max(1, Int(rows.passes)) {
      for y in 0..<head.height {
        try lines.withUnsafeMutableBufferPointer { (lines) throws(DeriveRefusal) in
          let line = UnsafeMutableBufferPointer(rebasing: lines[(isInterlaced ? y * length : 0)...].prefix(length))
          guard let target = line.baseAddress else { throw .broken }
          try ccodecs_png_next(png, target).check()
          if pass == rows.passes { row(UnsafeBufferPointer(line)) }
        }
      }
    }
    try ccodecs_png_finish(png).check()
    var count = 0
    let profile = ccodecs_png_profile(png, &count).map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    return PixelColor(rows.is_gray != 0 ? .gray : .rgb, profile: profile ?? [])
  }

  static func encode(_ raster: Raster, hasAlpha: Bool) throws(DeriveRefusal) -> [UInt8] {
    guard hasAlpha else { throw .opaque }
    return try encoded(raster, ccodecs_png_encode)
  }
}
