/// A number that only grows, added to by any thread.
public final class Counter: Sendable {
  private let tallies = Tallies(count: 1)

  /// Zero.
  public init() {}

  /// Adds to it.
  public func add(_ amount: UInt64 = 1) { tallies.addShared(amount, at: 0) }

  /// The number.
  public var value: UInt64 { tallies.value(at: 0) }
}

/// A counter for each case of a closed set, so that no client can make another one appear.
///
///     enum Lookup: String, CaseIterable { case hit, miss }
///     let lookups = registry.counters("banchan_picture_lookups_total", by: "result", of: Lookup.self, help: "…")
///     lookups.add(.hit)
public final class CounterSet<Label: CaseIterable & Hashable & RawRepresentable & Sendable>: Sendable
where Label.RawValue == String {
  private let labels = Array(Label.allCases)
  private let tallies: Tallies

  /// Zeros.
  public init() { tallies = Tallies(count: Label.allCases.count) }

  /// Adds to the counter of a case.
  public func add(_ label: Label, _ amount: UInt64 = 1) {
    guard let index = labels.firstIndex(of: label) else { return }
    tallies.addShared(amount, at: index)
  }

  /// The counter of a case.
  public func value(_ label: Label) -> UInt64 {
    labels.firstIndex(of: label).map { tallies.value(at: $0) } ?? 0
  }
}
