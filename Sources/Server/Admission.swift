import Net
import Synchronization

/// Counts the connections of all loops together and those of each source, and says whether there is room for another.
final class Admission: Sendable {
  /// Which limit a connection met.
  enum Refusal { case full, crowded }

  private struct Counts {
    var total = 0
    var ofSource: [IPAddress: Int] = [:]
  }

  private let limits: ServerLimits
  private let counts = Mutex(Counts())

  init(limits: ServerLimits) {
    self.limits = limits
  }

  /// Counts one more, unless a limit is met. `source` is nil for those who may have as many as there is room for.
  /// - Parameter replacing: whether an idle connection has been told to end for this one, and will leave soon.
  func enter(_ source: IPAddress?, replacing: Bool = false) -> Refusal? {
    let allowance = replacing ? 1 : 0
    return counts.withLock { counts in
      guard counts.total < limits.connections + allowance else { return .full }
      if let source {
        guard counts.ofSource[source, default: 0] < limits.connectionsPerAddress + allowance else { return .crowded }
        counts.ofSource[source, default: 0] += 1
      }
      counts.total += 1
      return nil
    }
  }

  func leave(_ source: IPAddress?) {
    counts.withLock { counts in
      counts.total -= 1
      guard let source, let count = counts.ofSource[source] else { return }
      counts.ofSource[source] = count > 1 ? count - 1 : nil
    }
  }
}
