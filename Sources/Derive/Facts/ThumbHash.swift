#if canImport(Glibc)
  import Glibc
#endif

/// A blurred picture in some twenty-five bytes, by the ThumbHash algorithm of Evan Wallace
/// (evanw.github.io/thumbhash): the first cosines of lightness, two colour differences and alpha.
enum ThumbHash {
  /// How many pixels a side a raster may have: more show in no hash.
  static let longestSide = 100

  /// The hash of a raster in sRGB.
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
      raster.forEachPixel { red, green, blue, opacity in
        let ground = 1 - opacity
        let red = mean.red * ground + opacity * red
        let green = mean.green * ground + opacity * green
        let blue = mean.blue * ground + opacity * blue
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
      // A wave is one of lines downwards, each of which is a wave across: those are shared.
      let lines = (0..<across).map { Self.lines(of: plane, raster, $0) }
      for row in 0..<down {
        let cosines = Self.cosines(row, raster.height)
        var column = 0
        while column * down < across * (down - row) {
          var wave = 0.0
          for y in 0..<raster.height { wave += lines[column][y] * cosines[y] }
          wave /= Double(raster.width * raster.height)
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

    /// For each line of a plane, how much of one wave is in it.
    private static func lines(of plane: [Double], _ raster: Raster, _ column: Int) -> [Double] {
      let width = raster.width
      let cosines = cosines(column, width)
      return plane.withUnsafeBufferPointer { plane in
        cosines.withUnsafeBufferPointer { cosines in
          (0..<raster.height).map { y in
            var sum = 0.0
            for x in 0..<width { sum += plane[y * width + x] * cosines[x] }
            return sum
          }
        }
      }
    }

    /// So many half waves over so many samples.
    private static func cosines(_ halves: Int, _ count: Int) -> [Double] {
      (0..<count).map { cos(.pi / Double(count) * Double(halves) * (Double($0) + 0.5)) }
    }
  }
}
