/// Pixels in memory: four bytes each, in rows without gaps.
struct Raster {
  let width, height: Int
  /// R G B A, not multiplied; or C M Y K, before its colours are converted.
  var pixels: [UInt8]

  /// Zeros.
  init(width: Int, height: Int) {
    self.init(width: width, height: height, pixels: [UInt8](repeating: 0, count: 4 * width * height))
  }

  init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Calls `body` with each pixel's red, green, blue and opacity, from 0 to 1.
  func forEachPixel(_ body: (Double, Double, Double, Double) -> Void) {
    pixels.withUnsafeBufferPointer { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) {
        body(
          Double(bytes[pixel]) / 255, Double(bytes[pixel + 1]) / 255, Double(bytes[pixel + 2]) / 255,
          Double(bytes[pixel + 3]) / 255)
      }
    }
  }

  /// The same, turned upright.
  func upright(_ orientation: Orientation) -> Raster {
    guard orientation != .upright else { return self }
    let (newWidth, newHeight) = orientation.isSideways ? (height, width) : (width, height)
    let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
      pixels.withUnsafeBytes { source in
        for y in 0..<newHeight {
          for x in 0..<newWidth {
            let from = orientation.stored(x: x, y: y, width: width, height: height)
            let pixel = source.loadUnaligned(fromByteOffset: 4 * (from.y * width + from.x), as: UInt32.self)
            UnsafeMutableRawBufferPointer(target).storeBytes(
              of: pixel, toByteOffset: 4 * (y * newWidth + x), as: UInt32.self)
          }
        }
      }
      count = pixels.count
    }
    return Raster(width: newWidth, height: newHeight, pixels: turned)
  }

  /// The same on a white ground, for a format without alpha.
  func onWhite() -> Raster {
    var flat = self
    flat.pixels.withUnsafeMutableBufferPointer { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) {
        let alpha = Int(bytes[pixel + 3])
        guard alpha < 255 else { continue }
        for channel in pixel..<(pixel + 3) {
          bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 255 * (255 - alpha) + 127) / 255)
        }
        bytes[pixel + 3] = 255
      }
    }
    return flat
  }
}
