import CCodecs

/// What the bytes of decoded pixels mean.
struct PixelColor {
  enum Space {
    /// R = G = B.
    case gray
    case rgb
    /// Inverted: 0 is all of an ink, as Adobe's programs write it.
    case cmyk(isInverted: Bool)
  }

  let space: Space
  /// An ICC profile, or nothing.
  let profile: [UInt8]

  init(_ space: Space, profile: [UInt8]) {
    self.space = space
    self.profile = profile
  }

  /// Converts pixels to sRGB: by the profile where there is a usable one, else as if they were sRGB already, and ink as if
  /// each covered the others. A profile that is none, or for another kind of pixels, is as good as missing, as in browsers.
  func convertToSRGB(_ raster: inout Raster) {
    let isConverted = convertByProfile(&raster)
    if case .cmyk(let isInverted) = space {
      raster.pixels.withUnsafeMutableBufferPointer { pixels in
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
          if !isConverted { Self.mixInk(pixels, pixel, isInverted: isInverted) }
          pixels[pixel + 3] = 255
        }
      }
    }
  }

  private static func mixInk(_ pixels: UnsafeMutableBufferPointer<UInt8>, _ pixel: Int, isInverted: Bool) {
    let black = Int(isInverted ? pixels[pixel + 3] : 255 - pixels[pixel + 3])
    for channel in pixel..<(pixel + 3) {
      let light = Int(isInverted ? pixels[channel] : 255 - pixels[channel])
      pixels[channel] = UInt8((light * black + 127) / 255)
    }
  }

  private func convertByProfile(_ raster: inout Raster) -> Bool {
    guard !profile.isEmpty else { return false }
    let count = raster.width * raster.height
    return raster.pixels.withUnsafeMutableBufferPointer { pixels in
      profile.withUnsafeBufferPointer { profile in
        guard let start = profile.baseAddress, let target = pixels.baseAddress else { return false }
        return ccodecs_color_convert(start, profile.count, color, target, count) == CCODECS_OK
      }
    }
  }

  private var color: ccodecs_color {
    switch space {
    case .gray: CCODECS_COLOR_GRAY
    case .rgb: CCODECS_COLOR_RGB
    case .cmyk(let isInverted): isInverted ? CCODECS_COLOR_CMYK_INVERTED : CCODECS_COLOR_CMYK
    }
  }
}
