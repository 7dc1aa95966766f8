import CCodecs
import DeriveWire

/// One picture format: what its head says, its pixels, and how pixels are written in it.
protocol PictureCodec {
  /// Reads the head, and allocates nothing that grows with the picture.
  static func head(of bytes: SourceBytes) throws(DeriveRefusal) -> PictureHead

  /// Decodes row by row, from the top, in the picture's stored orientation.
  ///
  /// - Parameters:
  ///   - head: what `head(of:)` gave, found to be within the budget.
  ///   - denominator: 1, or where the head says that it is made smaller while decoding, 2, 4 or 8.
  ///   - row: takes each row, 4 bytes for each pixel.
  /// - Returns: what the pixels' bytes mean.
  static func decode(
    _ bytes: SourceBytes, _ head: PictureHead, denominator: Int, budget: Budget,
    row: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(DeriveRefusal) -> PixelColor

  /// Encodes an upright picture in sRGB.
  static func encode(_ raster: Raster, hasAlpha: Bool) throws(DeriveRefusal) -> [UInt8]
}

extension PictureCodec {
  /// The size of the rows that a decoder gives.
  static func decodedSize(_ head: PictureHead, denominator: Int) -> (width: Int, height: Int) {
    ((head.width + denominator - 1) / denominator, (head.height + denominator - 1) / denominator)
  }
}

/// The codec of a picture, told from its first bytes.
func codec(of bytes: SourceBytes) throws(DeriveRefusal) -> any PictureCodec.Type {
  if bytes.bigEndian(0, bytes: 4) == 0x8950_4E47, bytes.bigEndian(4, bytes: 4) == 0x0D0A_1A0A { return PNGCodec.self }
  if bytes.bigEndian(0, bytes: 3) == 0xFFD8FF { return JPEGCodec.self }
  if bytes.hasPrefix("RIFF"), bytes.hasPrefix("WEBP", at: 8) { return WebPCodec.self }
  throw .unknownFormat
}

extension DerivedFormat {
  /// What encodes it.
  var codec: any PictureCodec.Type {
    switch self {
    case .jpeg: JPEGCodec.self
    case .webp: WebPCodec.self
    case .png: PNGCodec.self
    }
  }
}

extension ccodecs_result {
  /// Throws what a library's call came to, unless it worked.
  func check() throws(DeriveRefusal) {
    switch self {
    case CCODECS_OK: return
    case CCODECS_TRUNCATED: throw .truncated
    case CCODECS_OVER_BUDGET: throw .overBudget
    default: throw .broken
    }
  }
}

/// Runs a library's encoder and takes over what it wrote.
func encoded(
  _ raster: Raster,
  _ encode: (
    UnsafePointer<UInt8>, UInt32, UInt32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    UnsafeMutablePointer<Int>
  ) -> ccodecs_result
) throws(DeriveRefusal) -> [UInt8] {
  var bytes: UnsafeMutablePointer<UInt8>?
  var count = 0
  let result = raster.pixels.withUnsafeBufferPointer { pixels in
    guard let start = pixels.baseAddress else { return CCODECS_BROKEN }
    return encode(start, UInt32(raster.width), UInt32(raster.height), &bytes, &count)
  }
  defer { ccodecs_free(bytes) }
  try result.check()
  return Array(UnsafeBufferPointer(start: bytes, count: count))
}
