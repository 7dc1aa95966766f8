/// Makes a raster smaller while its rows come in from a decoder, so that a picture never has to stand in memory whole.
///
/// Each row is added, with its weights, to those rows of the result that it is a part of; a row of the result that has
/// all its parts is then shortened. Belongs to one task.
final class Resampler {
  private let columns: ResamplingTaps
  private let rows: ResamplingTaps
  private let rowLength: Int
  private let hasAlpha: Bool
  /// Nothing changes: rows are copied.
  private let isCopy: Bool
  private(set) var raster: Raster
  private var y = 0
  /// The first row of the result that lacks parts.
  private var finished = 0
  /// Sums for rows of the result from `finished` on, as far as they have begun.
  private var sums: [[Float]] = []
  /// Sums that are free to be used again.
  private var spare: [[Float]] = []

  /// - Parameters:
  ///   - width: of the rows that come.
  ///   - height: how many come.
  ///   - trueWidth: the length that the rows stand for (see `ResamplingTaps`).
  ///   - trueHeight: the same downwards.
  ///   - target: the size to make.
  ///   - hasAlpha: whether pixels count by their fourth byte. Colours of transparent pixels must not bleed.
  init(
    width: Int, height: Int, trueWidth: Double, trueHeight: Double, target: (width: Int, height: Int), hasAlpha: Bool
  ) {
    columns = ResamplingTaps(count: target.width, length: trueWidth, available: width)
    rows = ResamplingTaps(count: target.height, length: trueHeight, available: height)
    rowLength = 4 * width
    self.hasAlpha = hasAlpha
    isCopy = target.width == width && target.height == height
    raster = Raster(width: target.width, height: target.height)
  }

  /// Takes the next row, 4 × width bytes: `bytes` as decoded, and `values` the same as numbers, multiplied by alpha where
  /// there is any.
  func add(_ bytes: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<Float>) {
    defer { y += 1 }
    if isCopy {
      raster.pixels.withUnsafeMutableBytes { pixels in
        UnsafeMutableRawBufferPointer(rebasing: pixels[(y * rowLength)..<((y + 1) * rowLength)])
          .copyMemory(from: UnsafeRawBufferPointer(bytes))
      }
      return
    }
    var row = finished
    while row < rows.count, rows.starts[row] <= y {
      if row - finished == sums.count { sums.append(spare.popLast() ?? [Float](repeating: 0, count: rowLength)) }
      let tap = y - rows.starts[row]
      Self.add(values, times: rows.weights[rows.offsets[row] + tap], to: &sums[row - finished], isFirst: tap == 0)
      row += 1
    }
    while finished < rows.count, rows.end(finished) == y + 1, !sums.isEmpty {
      let sum = sums.removeFirst()
      shorten(sum, into: finished)
      spare.append(sum)
      finished += 1
    }
  }

  @inline(__always)
  private static func add(
    _ values: UnsafeBufferPointer<Float>, times weight: Float, to sum: inout [Float], isFirst: Bool
  ) {
    sum.withUnsafeMutableBufferPointer { sum in
      guard let target = sum.baseAddress, let source = values.baseAddress else { return }
      let count = min(sum.count, values.count)
      if isFirst {
        for index in 0..<count { target[index] = source[index] * weight }
      } else {
        for index in 0..<count { target[index] += source[index] * weight }
      }
    }
  }

  /// The nearest value of a byte. Lane by lane: the vector's own conversion is a generic function, ten times as slow.
  ///
  /// The numbers from 2^23 on are whole, so that adding it rounds, and leaves the value in the last bits.
  @inline(__always)
  private static func byte(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: (min(max(value, 0), 255) + 0x1p23).bitPattern)
  }

  private func shorten(_ sum: [Float], into row: Int) {
    let width = columns.count
    raster.pixels.withUnsafeMutableBytes { pixels in
      sum.withUnsafeBytes { sum in
        columns.weights.withUnsafeBufferPointer { weights in
          for x in 0..<width {
            let (from, to) = (columns.offsets[x], columns.offsets[x + 1])
            var offset = columns.starts[x] * 16
            // Two sums, as an addition has to wait for the one before.
            var (even, odd) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
            var tap = from
            while tap + 1 < to {
              even += sum.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self) * weights[tap]
              odd += sum.loadUnaligned(fromByteOffset: offset + 16, as: SIMD4<Float>.self) * weights[tap + 1]
              (tap, offset) = (tap + 2, offset + 32)
            }
            if tap < to { even += sum.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self) * weights[tap] }
            var total = even + odd
            if hasAlpha {
              let alpha = min(max(total.w, 0), 255)
              let factor: Float = alpha > 0 ? 255 / alpha : 0
              total *= SIMD4(factor, factor, factor, 1)
            }
            let place = 4 * (row * width + x)
            pixels[place] = Self.byte(total.x)
            pixels[place + 1] = Self.byte(total.y)
            pixels[place + 2] = Self.byte(total.z)
            pixels[place + 3] = Self.byte(total.w)
          }
        }
      }
    }
  }
}

/// Hands each decoded row to all resamplers that make something of it.
struct ResamplerGroup {
  let resamplers: [Resampler]
  private let hasAlpha: Bool
  private var values: [Float]

  init(_ resamplers: [Resampler], width: Int, hasAlpha: Bool) {
    self.resamplers = resamplers
    self.hasAlpha = hasAlpha
    values = [Float](repeating: 0, count: 4 * width)
  }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    values.withUnsafeMutableBufferPointer { values in
      let count = min(values.count, bytes.count)
      guard let target = values.baseAddress, let source = bytes.baseAddress else { return }
      for index in 0..<count { target[index] = Float(source[index]) }
      if hasAlpha {
        for pixel in stride(from: 0, to: count, by: 4) where source[pixel + 3] != 255 {
          let alpha = target[pixel + 3] / 255
          for channel in pixel..<(pixel + 3) { target[channel] *= alpha }
        }
      }
      let row = UnsafeBufferPointer(values)
      for resampler in resamplers { resampler.add(bytes, row) }
    }
  }
}

extension Raster {
  /// The same in its proportions with sides of at most so many pixels; never enlarged.
  func shrunk(toSide limit: Int, hasAlpha: Bool) -> Raster {
    let longest = max(width, height)
    guard longest > limit else { return self }
    func side(_ length: Int) -> Int { max(1, (2 * length * limit + longest) / (2 * longest)) }
    let resampler = Resampler(
      width: width, height: height, trueWidth: Double(width), trueHeight: Double(height),
      target: (side(width), side(height)), hasAlpha: hasAlpha)
    var group = ResamplerGroup([resampler], width: width, hasAlpha: hasAlpha)
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height { group.add(UnsafeBufferPointer(rebasing: pixels[(4 * width * y)..<(4 * width * (y + 1))])) }
    }
    return resampler.raster
  }
}
