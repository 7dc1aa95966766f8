/// Which samples make up each sample of a shorter line, and with what weight: the cubic kernel of Keys (1981) with
/// a = −0.5, stretched by the scale so that nothing in between is passed over.
struct ResamplingTaps {
  /// For each output sample, the first input sample that it is made of.
  let starts: [Int]
  /// For each output sample, where its weights begin; one more for the end.
  let offsets: [Int]
  /// The weights, which add up to 1 for each output sample.
  let weights: [Float]

  var count: Int { starts.count }

  /// Weights for making `count` samples of a line of `length`, of which `available` whole samples are there.
  ///
  /// - Parameter length: the line's true length in samples. A decoder that makes a picture smaller rounds up, and the last
  ///   sample then stands for less than a whole one.
  init(count: Int, length: Double, available: Int) {
    let scale = length / Double(count)
    let stretch = max(1, scale)
    let support = 2 * stretch
    var starts: [Int] = []
    var offsets = [0]
    var weights: [Float] = []
    starts.reserveCapacity(count)
    offsets.reserveCapacity(count + 1)
    for index in 0..<count {
      let center = (Double(index) + 0.5) * scale
      let start = min(max(0, Int((center - support + 0.5).rounded(.down))), available - 1)
      let end = min(max(start + 1, Int((center + support + 0.5).rounded(.down))), available)
      let raw = (start..<end).map { Self.kernel((Double($0) - center + 0.5) / stretch) }
      let sum = raw.reduce(0, +)
      starts.append(start)
      weights += sum == 0 ? raw.map { _ in Float(1) / Float(raw.count) } : raw.map { Float($0 / sum) }
      offsets.append(weights.count)
    }
    self.starts = starts
    self.offsets = offsets
    self.weights = weights
  }

  /// Past the last input sample that an output sample is made of.
  func end(_ index: Int) -> Int { starts[index] + offsets[index + 1] - offsets[index] }

  private static func kernel(_ place: Double) -> Double {
    let x = abs(place)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
    return 0
  }
}
