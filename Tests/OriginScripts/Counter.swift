import Synchronization

/// A number that scripts on several threads count with.
public final class Counter: Sendable {
  private let count = Atomic(0)

  /// Starts at zero.
  public init() {}

  /// Adds one; the new number.
  @discardableResult
  public func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The number now.
  public var value: Int { count.load(ordering: .relaxed) }
}
