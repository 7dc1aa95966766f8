import Metrics
import Testing

@Suite("Metrics")
struct MetricsTests {
  private enum Outcome: String, CaseIterable { case hit, miss }

  private func text(_ registry: MetricRegistry) -> String { String(decoding: registry.text(), as: UTF8.self) }

  @Test("A counter is a line under its help and its type")
  func counter() {
    let registry = MetricRegistry()
    let counter = registry.counter("shop_orders_total", help: "Orders.")
    counter.add()
    counter.add(41)
    #expect(
      text(registry) == """
        # HELP shop_orders_total Orders.
        # TYPE shop_orders_total counter
        shop_orders_total 42

        """)
  }

  @Test("A set of counters shows every case from the start")
  func set() {
    let registry = MetricRegistry()
    let lookups = registry.counters("shop_lookups_total", by: "result", of: Outcome.self, help: "Lookups.")
    lookups.add(.miss, 3)
    let lines = text(registry).split(separator: "\n").suffix(2)
    #expect(lines == ["shop_lookups_total{result=\"hit\"} 0", "shop_lookups_total{result=\"miss\"} 3"])
  }

  @Test("A gauge is asked at each scrape, and left out while it has no value")
  func gauge() {
    let registry = MetricRegistry()
    let source = Counter()
    registry.gauge("shop_queue", help: "Waiting.") { source.value == 0 ? nil : Double(source.value) / 2 }
    #expect(text(registry).isEmpty)
    source.add()
    #expect(text(registry).hasSuffix("\nshop_queue 0.5\n"))
    source.add()
    #expect(text(registry).hasSuffix("\nshop_queue 1\n"))
  }

  @Test("The buckets of a histogram add up, and its ends are in seconds")
  func histogram() {
    let registry = MetricRegistry()
    let waits = registry.histogram("shop_wait_seconds", .init(microseconds: [10, 1_000, 2_500_000]), help: "Waits.")
    for duration: Int64 in [0, 10, 11, 2_500_000, 2_500_001, -5] { waits.note(microseconds: duration) }
    let lines = text(registry).split(separator: "\n").suffix(6)
    #expect(
      lines == [
        "shop_wait_seconds_bucket{le=\"1e-05\"} 3", "shop_wait_seconds_bucket{le=\"0.001\"} 4",
        "shop_wait_seconds_bucket{le=\"2.5\"} 5", "shop_wait_seconds_bucket{le=\"+Inf\"} 6",
        "shop_wait_seconds_sum 5.000022", "shop_wait_seconds_count 6",
      ])
  }

  @Test("Readings of several threads' histograms add up")
  func sums() {
    let (one, other) = (Histogram(.answers), Histogram(.answers))
    one.noteAlone(microseconds: 5)
    other.noteAlone(microseconds: 5_000_000_000)
    other.noteAlone(microseconds: 7)
    var total = one.reading
    total += other.reading
    #expect(total.count == 3)
  }

  @Test("What could end a label early is escaped")
  func escaping() {
    let registry = MetricRegistry()
    registry.gauges("shop_info", help: "Names.") { $0.add(1.0, [("name", "a\"b\\c\nd\r\n반찬")]) }
    #expect(text(registry).contains("shop_info{name=\"a\\\"b\\\\c\\nd\r\\n반찬\"} 1\n"))
  }

  @Test("Numbers that are none are written as Prometheus reads them")
  func odd() {
    let registry = MetricRegistry()
    registry.gauges("shop_odd", help: "Odd.") { samples in
      for (name, value) in [("a", Double.nan), ("b", .infinity), ("c", -.infinity), ("d", 1e300)] {
        samples.add(value, [("of", name)])
      }
    }
    let values = text(registry).split(separator: "\n").suffix(4).compactMap { $0.split(separator: " ").last }
    #expect(values == ["NaN", "+Inf", "-Inf", "1e+300"])
  }

  @Test("A row that many threads add to loses nothing; past its end nothing happens")
  func shared() async {
    let tallies = Tallies(count: 3)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<10_000 { tallies.addShared(at: 1) } }
      }
    }
    tallies.add(at: 3)
    tallies.add(at: -1)
    tallies.addShared(at: .max)
    #expect((0...3).map { tallies.value(at: $0) } == [0, 80_000, 0, 0])
  }
}
