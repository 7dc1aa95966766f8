import Synchronization

/// All metrics of a process. Each part of the program puts its own in, once; whoever scrapes gets them all as text.
///
///     let fetches = registry.counter("banchan_origin_fetches_total", help: "Requests sent to origins.")
///     registry.gauge("banchan_picture_flights", help: "Pictures being fetched.") { Double(flights.count) }
///     …
///     fetches.add()
public final class MetricRegistry: Sendable {
  private struct Family: Sendable {
    let name: StaticString
    let kind: StaticString
    let help: StaticString
    let collect: @Sendable (inout MetricSamples) -> Void
  }

  private let families = Mutex<[Family]>([])

  /// A registry without metrics.
  public init() {}

  /// Puts in a counter.
  public func counter(_ name: StaticString, help: StaticString) -> Counter {
    let counter = Counter()
    add(name, "counter", help) { $0.add(counter.value) }
    return counter
  }

  /// Puts in a counter for each case of a closed set.
  public func counters<Label>(
    _ name: StaticString, by label: StaticString, of cases: Label.Type, help: StaticString
  ) -> CounterSet<Label> {
    let set = CounterSet<Label>()
    add(name, "counter", help) { samples in
      for value in Label.allCases { samples.add(set.value(value), [(label, value.rawValue)]) }
    }
    return set
  }

  /// Puts in a histogram of durations.
  public func histogram(_ name: StaticString, _ bounds: Histogram.Bounds, help: StaticString) -> Histogram {
    let histogram = Histogram(bounds)
    add(name, "histogram", help) { $0.add(histogram.reading) }
    return histogram
  }

  /// Puts in a number that goes up and down, and is asked for at each scrape; nil while there is none.
  public func gauge(_ name: StaticString, help: StaticString, value: @escaping @Sendable () -> Double?) {
    add(name, "gauge", help) { samples in if let value = value() { samples.add(value) } }
  }

  /// Puts in gauges that are collected at each scrape, with labels from a closed set.
  public func gauges(
    _ name: StaticString, help: StaticString, collect: @escaping @Sendable (inout MetricSamples) -> Void
  ) {
    add(name, "gauge", help, collect)
  }

  /// Puts in counters that are collected at each scrape, with labels from a closed set.
  public func counters(
    _ name: StaticString, help: StaticString, collect: @escaping @Sendable (inout MetricSamples) -> Void
  ) {
    add(name, "counter", help, collect)
  }

  /// Puts in histograms that are collected at each scrape, with labels from a closed set.
  public func histograms(
    _ name: StaticString, help: StaticString, collect: @escaping @Sendable (inout MetricSamples) -> Void
  ) {
    add(name, "histogram", help, collect)
  }

  private func add(
    _ name: StaticString, _ kind: StaticString, _ help: StaticString,
    _ collect: @escaping @Sendable (inout MetricSamples) -> Void
  ) {
    families.withLock { families in
      assert(!families.contains { "\($0.name)" == "\(name)" }, "two metrics are called \(name)")
      families.append(Family(name: name, kind: kind, help: help, collect: collect))
    }
  }

  /// The content type of `text()`.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// Everything in Prometheus's text format, version 0.0.4.
  public func text() -> [UInt8] {
    var text: [UInt8] = []
    for family in families.withLock({ $0 }) {
      var samples = MetricSamples(name: family.name)
      family.collect(&samples)
      guard !samples.lines.isEmpty else { continue }
      text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind)\n".utf8
      text += samples.lines
    }
    return text
  }
}
