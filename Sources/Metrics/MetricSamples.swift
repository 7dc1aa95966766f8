/// The samples of one metric, being collected for a scrape.
public struct MetricSamples {
  /// What tells the samples of a metric apart.
  public typealias Labels = [(name: StaticString, value: String)]

  let name: StaticString
  private(set) var lines: [UInt8] = []

  init(name: StaticString) { self.name = name }

  /// Adds a count.
  public mutating func add(_ value: UInt64, _ labels: Labels = []) { line("", labels, String(value)) }

  /// Adds a number.
  public mutating func add(_ value: Double, _ labels: Labels = []) { line("", labels, Self.text(value)) }

  /// Adds a histogram.
  public mutating func add(_ reading: HistogramReading, _ labels: Labels = []) {
    var sum: UInt64 = 0
    for (index, count) in reading.counts.enumerated() {
      sum &+= count
      let bounds = reading.bounds.microseconds
      let end = index < bounds.count ? Self.text(Double(bounds[index]) / 1_000_000) : "+Inf"
      line("_bucket", labels + [("le", end)], String(sum))
    }
    line("_sum", labels, Self.text(Double(reading.microseconds) / 1_000_000))
    line("_count", labels, String(sum))
  }

  private mutating func line(_ suffix: StaticString, _ labels: Labels, _ value: String) {
    lines += "\(name)\(suffix)".utf8
    if !labels.isEmpty {
      let written = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      lines += "{\(written.joined(separator: ","))}".utf8
    }
    lines += " \(value)\n".utf8
  }

  /// Whole numbers without a fraction, others with as many digits as they need.
  private static func text(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { String($0) } ?? value.description
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
