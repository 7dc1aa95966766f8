import Synchronization

/// A row of counts that one thread adds to without locks and without contention, and that any thread reads.
///
/// An event loop has its own, so that counting a request costs a few plain additions; whoever reads adds the rows of all
/// loops together. A count that is read while others change is a moment old, never torn.
///
/// `@unchecked Sendable`: the cells are atomics in memory that lives exactly as long as this object.
public final class Tallies: @unchecked Sendable {
  /// How many counts there are.
  public let count: Int
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>

  /// The cells of two rows never share a cache line.
  private static let line = 64

  /// A row of zeros.
  public init(count: Int) {
    self.count = max(0, count)
    let bytes = self.count * MemoryLayout<Atomic<UInt64>>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: (bytes / Self.line + 1) * Self.line, alignment: Self.line)
    cells = memory.bindMemory(to: Atomic<UInt64>.self, capacity: self.count)
    for index in 0..<self.count { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: count)
    UnsafeMutableRawPointer(cells).deallocate()
  }

  /// Adds to a count. For the one thread that owns the row: two that add at the same time may lose one's share.
  /// An index past the end counts nothing.
  @inline(__always)
  public func add(_ amount: UInt64 = 1, at index: Int) {
    guard index >= 0, index < count else { return }
    let sum = cells[index].load(ordering: .relaxed) &+ amount
    cells[index].store(sum, ordering: .relaxed)
  }

  /// Adds to a count, from any thread.
  public func addShared(_ amount: UInt64 = 1, at index: Int) {
    guard index >= 0, index < count else { return }
    cells[index].wrappingAdd(amount, ordering: .relaxed)
  }

  /// A count.
  public func value(at index: Int) -> UInt64 {
    guard index >= 0, index < count else { return 0 }
    return cells[index].load(ordering: .relaxed)
  }
}
