/// How often something took how long, in buckets.
public final class Histogram: Sendable {
  /// The buckets' upper ends, in microseconds, ascending.
  public struct Bounds: Sendable {
    /// The ends; what is longer than the last falls into a bucket without one.
    public let microseconds: [UInt64]

    /// Bounds, ascending.
    public init(microseconds: [UInt64]) { self.microseconds = microseconds }

    /// From ten microseconds to ten seconds, for answers.
    public static let answers = Bounds(microseconds: [
      10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 2_500_000,
      10_000_000,
    ])
    /// From five milliseconds to ten seconds, for what goes over a network or a disk.
    public static let waits = Bounds(microseconds: [
      5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
    ])

    /// How many cells a row of tallies needs for one histogram: the buckets, one more, and the sum.
    public var cells: Int { microseconds.count + 2 }

    /// The bucket of a duration.
    @inline(__always)
    public func bucket(of duration: UInt64) -> Int {
      for index in microseconds.indices where duration <= microseconds[index] { return index }
      return microseconds.count
    }
  }

  /// See `Bounds`.
  public let bounds: Bounds
  private let tallies: Tallies

  /// An empty histogram.
  public init(_ bounds: Bounds) {
    self.bounds = bounds
    tallies = Tallies(count: bounds.cells)
  }

  /// Notes a duration in microseconds, from any thread.
  public func note(microseconds: Int64) {
    let duration = UInt64(max(0, microseconds))
    tallies.addShared(at: bounds.bucket(of: duration))
    tallies.addShared(duration, at: bounds.cells - 1)
  }

  /// Notes a duration in microseconds, from the one thread that notes any.
  @inline(__always)
  public func noteAlone(microseconds: Int64) {
    let duration = UInt64(max(0, microseconds))
    tallies.add(at: bounds.bucket(of: duration))
    tallies.add(duration, at: bounds.cells - 1)
  }

  /// What was noted so far.
  public var reading: HistogramReading { HistogramReading(bounds, tallies, from: 0) }
}

/// What a histogram held at a moment; those of several threads add up.
public struct HistogramReading: Sendable {
  let bounds: Histogram.Bounds
  /// By bucket, not yet added up.
  var counts: [UInt64]
  var microseconds: UInt64

  /// Reads a histogram that stands in a row of tallies from some index on.
  public init(_ bounds: Histogram.Bounds, _ tallies: Tallies, from start: Int) {
    self.bounds = bounds
    counts = (0...bounds.microseconds.count).map { tallies.value(at: start + $0) }
    microseconds = tallies.value(at: start + bounds.cells - 1)
  }

  /// How many durations were noted.
  public var count: UInt64 { counts.reduce(0, &+) }

  /// Adds what another one with the same bounds held.
  public static func += (left: inout HistogramReading, right: HistogramReading) {
    for index in left.counts.indices where index < right.counts.count { left.counts[index] &+= right.counts[index] }
    left.microseconds &+= right.microseconds
  }
}
