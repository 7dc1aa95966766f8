import Synchronization

/// Which bodies were asked for since the eviction's hand last passed them: a bit for each row of the index, in memory.
///
/// Setting one takes no lock, and writes nothing when it is set already. There are two million bits, shared by rows whose
/// numbers are that far apart: of such two, the one that nobody asks for is at worst evicted a round later.
///
/// `@unchecked Sendable`: the words are atomic, and their memory lives as long as this.
final class VisitMarks: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>

  private static let count = 1 << 15

  init() {
    words = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    words.deinitialize(count: Self.count)
    words.deallocate()
  }

  /// Notes that a body was asked for.
  func set(_ id: Int64) {
    let (word, bit) = place(of: id)
    guard word.pointee.load(ordering: .relaxed) & bit == 0 else { return }
    word.pointee.bitwiseOr(bit, ordering: .relaxed)
  }

  /// Takes a body's mark, and says whether it had one.
  @discardableResult
  func clear(_ id: Int64) -> Bool {
    let (word, bit) = place(of: id)
    guard word.pointee.load(ordering: .relaxed) & bit != 0 else { return false }
    return word.pointee.bitwiseAnd(~bit, ordering: .relaxed).oldValue & bit != 0
  }

  private func place(of id: Int64) -> (UnsafeMutablePointer<Atomic<UInt64>>, bit: UInt64) {
    let number = UInt64(bitPattern: id)
    return (words + Int(number >> 6 & UInt64(Self.count - 1)), 1 << (number & 63))
  }
}
