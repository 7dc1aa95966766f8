/// The mean colour of a picture's pixels, each counted as far as it is opaque.
struct MeanColor {
  /// From 0 to 1.
  var red = 0.0
  var green = 0.0
  var blue = 0.0
  /// The mean opacity, from 0 to 1.
  var alpha = 0.0

  init(of raster: Raster) {
    raster.forEachPixel { red, green, blue, opacity in
      self.red += opacity * red
      self.green += opacity * green
      self.blue += opacity * blue
      alpha += opacity
    }
    if alpha > 0 {
      red /= alpha
      green /= alpha
      blue /= alpha
    }
    alpha /= Double(raster.width * raster.height)
  }

  /// As `0xRRGGBB`; white for a picture that is transparent all over.
  var code: UInt32 {
    guard alpha > 0 else { return 0xFF_FFFF }
    return [red, green, blue].reduce(0) { $0 << 8 | UInt32(min(max(0, ($1 * 255).rounded()), 255)) }
  }
}
