import CCodecs
import DeriveWire

/// WebP by libwebp: lossy and lossless, with alpha or without, still pictures only.
enum WebPCodec: PictureCodec {
  static func head(of bytes: SourceBytes) throws(DeriveRefusal) -> PictureHead { try WebPHead.read(bytes) }

  static func decode(
    _ bytes: SourceBytes, _ head: PictureHead, denominator: Int, budget: Budget,
    row: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(DeriveRefusal) -> PixelColor {
    guard let start = bytes.start else { throw .truncated }
    let length = 4 * head.width
    var result = CCODECS_BROKEN
    let pixels = [UInt8](unsafeUninitializedCapacity: length * head.height) { pixels, count in
      guard let target = pixels.baseAddress else { return }
      result = ccodecs_webp_decode(start, bytes.count, UInt32(head.width), UInt32(head.height), target)
      if result == CCODECS_OK { count = length * head.height }
    }
    try result.check()
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<head.height { row(UnsafeBufferPointer(rebasing: pixels[(y * length)..<((y + 1) * length)])) }
    }
    return PixelColor(.rgb, profile: head.profile.flatMap { Array($0.raw) })
  }

  static func encode(_ raster: Raster, hasAlpha: Bool) throws(DeriveRefusal) -> [UInt8] {
    try encoded(raster) { ccodecs_webp_encode($0, $1, $2, hasAlpha ? 1 : 0, Pipeline.webpQuality, $3, $4) }
  }
}
