import DeriveWire

/// What one picture may cost, decided on its head alone (images.md, section 5).
public struct Budget: Sendable {
  /// Pixels at most.
  public var pixels = 50_000_000
  /// Pixels a side at most, which is also what WebP can hold.
  public var side = 16_383
  /// Bytes that decoding, the sizes made and their encoding may take together.
  public var bytes: Int

  /// Scans of a JPEG at most: each is a pass over all its coefficients. Cameras and encoders make some ten.
  static let scans = 64
  /// Bytes that one unpacked chunk of a PNG may take: its colour profile.
  static let chunkBytes = 4 << 20
  /// Pixels are handled as four bytes.
  static let bytesPerPixel = 4
  /// What an encoder takes for a pixel at most, beside the pixel itself (libwebp's own copies).
  private static let encoderBytesPerPixel = 12
  /// Rows that a decoder and a resampler keep, generously.
  private static let rows = 96

  /// The usual limits, with so many bytes.
  public init(bytes: Int) { self.bytes = bytes }

  /// What a raster takes; a quarter of all there is at most, so that a head may say what it likes.
  static func bytes(_ width: Int, _ height: Int) -> Int {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max / 4 : min(pixels, .max / 16) * bytesPerPixel
  }

  /// Throws unless the picture may be decoded for sizes that are so wide at most.
  func check(_ head: PictureHead, widths: [Int]) throws(DeriveRefusal) {
    // Sides first: their product cannot overflow then.
    guard head.width <= side, head.height <= side, head.width * head.height <= pixels else { throw .tooManyPixels }
    var largest = 0
    var all = 0
    for width in Set(widths) {
      let size = SizeRule.size(of: head, atMost: width)
      largest = max(largest, size.width * size.height)
      all += size.width * size.height
    }
    // Turning upright makes a second copy of one size.
    let made = Self.bytesPerPixel * (all + largest) + Self.encoderBytesPerPixel * largest
    let rows = Self.bytesPerPixel * Self.rows * head.width
    guard head.decoderBytes + made + rows <= bytes else { throw .overBudget }
  }
}

/// How large a size becomes.
enum SizeRule {
  /// Upright, at most so wide and never enlarged, in the picture's proportions.
  static func size(of head: PictureHead, atMost width: Int) -> (width: Int, height: Int) {
    let (fullWidth, fullHeight) = head.uprightSize
    guard width < fullWidth else { return (fullWidth, fullHeight) }
    return (width, max(1, (2 * fullHeight * width + fullWidth) / (2 * fullWidth)))
  }

  /// By how much a decoder may make the picture smaller, so that a quarter more than the size is left to resample.
  static func denominator(of head: PictureHead, atMost width: Int) -> Int {
    guard head.scalesWhileDecoding else { return 1 }
    return [8, 4, 2].first { 4 * head.uprightSize.width >= 5 * width * $0 } ?? 1
  }
}
