#if canImport(Glibc)
  import Glibc
#endif

/// A blurred picture in some twenty-five bytes, by the ThumbHash algorithm of Evan Wallace
/// (evanw.github.io/thumbhash): the first cosines of lightness, two colour differences and alpha.
enum ThumbHash {
  /// The hash of a raster in sRGB, at most 100 pixels a side.
  static func hash(of raster: Raster) -> [UInt8] {
    let mean = MeanColor(of: raster)
    let hasAlpha = mean.alpha < 1
    let longest = Double(max(raster.width, raster.height))
    let limit: Double = hasAlpha ? 5 : 7
    let across = max(1, Int((limit * Double(raster.width) / longest).rounded()))
    let down = max(1, Int((limit * Double(raster.height) / longest).rounded()))
    let planes = Planes(of: raster, mean: mean)
    let lightness = Channel(planes.lightness, raster, max(3, across), max(3, down))
    let yellowBlue = Channel(planes.yellowBlue, raster, 3, 3)
    let redGreen = Channel(planes.redGreen, raster, 3, 3)

    let isLandscape = raster.width > raster.height
    let first =
      nibbles(lightness.mean, 63) | nibbles(0.5 + 0.5 * yellowBlue.mean, 63) << 6
      | nibbles(0.5 + 0.5 * redGreen.mean, 63) << 12 | nibbles(lightness.scale, 31) << 18 | (hasAlpha ? 1 << 23 : 0)
    let second =
      (isLandscape ? down : across) | nibbles(yellowBlue.scale, 63) << 3 | nibbles(redGreen.scale, 63) << 9
      | (isLandscape ? 1 << 15 : 0)
    var hash = [first & 255, first >> 8 & 255, first >> 16, second & 255, second >> 8].map { UInt8($0) }
    var waves = lightness.waves + yellowBlue.waves + redGreen.waves
    if hasAlpha {
      let alpha = Channel(planes.alpha, raster, 5, 5)
      hash.append(UInt8(nibbles(alpha.mean, 15) | nibbles(alpha.scale, 15) << 4))
      waves += alpha.waves
    }
    for pair in stride(from: 0, to: waves.count, by: 2) {
      let high = pair + 1 < waves.count ? nibbles(waves[pair + 1], 15) << 4 : 0
      hash.append(UInt8(nibbles(waves[pair], 15) | high))
    }
    return hash
  }

  /// A number from 0 to 1 in so many steps.
  private static func nibbles(_ value: Double, _ steps: Int) -> Int {
    min(max(0, Int((Double(steps) * value).rounded())), steps)
  }

  /// The picture on a ground of its mean colour, apart in lightness and two differences.
  private struct Planes {
    var lightness: [Double] = []
    var yellowBlue: [Double] = []
    var redGreen: [Double] = []
    var alpha: [Double] = []

    init(of raster: Raster, mean: MeanColor) {
      for pixel in stride(from: 0, to: raster.pixels.count, by: 4) {
        let opacity = Double(raster.pixels[pixel + 3]) / 255
        func channel(_ offset: Int, _ ground: Double) -> Double {
          ground * (1 - opacity) + opacity * Double(raster.pixels[pixel + offset]) / 255
        }
        let (red, green, blue) = (channel(0, mean.red), channel(1, mean.green), channel(2, mean.blue))
        lightness.append((red + green + blue) / 3)
        yellowBlue.append((red + green) / 2 - blue)
        redGreen.append(red - green)
        alpha.append(opacity)
      }
    }
  }

  /// The first cosines of a plane.
  private struct Channel {
    /// What is left without waves.
    var mean = 0.0
    /// The largest wave.
    var scale = 0.0
    /// The waves, from 0 to 1 with 0.5 for none.
    var waves: [Double] = []

    init(_ plane: [Double], _ raster: Raster, _ across: Int, _ down: Int) {
      for row in 0..<down {
        var column = 0
        while column * down < across * (down - row) {
          let wave = Self.wave(plane, raster, column, row)
          if column > 0 || row > 0 {
            waves.append(wave)
            scale = max(scale, abs(wave))
          } else {
            mean = wave
          }
          column += 1
        }
      }
      if scale > 0 { waves = waves.map { 0.5 + 0.5 / scale * $0 } }
    }

    private static func wave(_ plane: [Double], _ raster: Raster, _ column: Int, _ row: Int) -> Double {
      let (width, height) = (raster.width, raster.height)
      let across = (0..<width).map { cos(.pi / Double(width) * Double(column) * (Double($0) + 0.5)) }
      var sum = 0.0
      for y in 0..<height {
        let down = cos(.pi / Double(height) * Double(row) * (Double(y) + 0.5))
        var line = 0.0
        for x in 0..<width { line += plane[y * width + x] * across[x] }
        sum += line * down
      }
      return sum / Double(width * height)
    }
  }
}
