import Synchronization

/// What the bodies of all requests that are being read or answered take together, whoever sends them.
final class RequestMemory: Sendable {
  private let limit: Int
  private let used = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// Counts so many bytes more of a body; false when all bodies together are too large. A body that is alone may take what its
  /// endpoint allows.
  ///
  /// - Parameter held: what was counted of this body before; moves on, and is to be given back in any case.
  func take(_ bytes: Int, held: inout Int) -> Bool {
    // Both are far from the ends of Int: a body is bounded, and so are connections.
    held += bytes
    let sum = used.add(bytes, ordering: .relaxed).newValue
    return sum <= limit || sum <= held
  }

  /// Gives back what was counted of a body.
  func giveBack(_ held: Int) { used.subtract(held, ordering: .relaxed) }
}
