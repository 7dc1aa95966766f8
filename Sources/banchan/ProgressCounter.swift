import Glibc
import Synchronization

/// A bar on a terminal that grows in place; where nobody watches it says nothing.
final class ProgressCounter: Sendable {
  private let name: String
  private let isWatched = isatty(2) == 1
  private let lastShown = Mutex(0)

  private static let width = 30

  /// A counter of things that are called so.
  init(name: String) { self.name = name }

  /// Shows how far it is, once a percent; at the end the line goes, for what is said then.
  func show(_ done: Int, of total: Int) {
    guard isWatched else { return }
    let percent = total == 0 ? 100 : done * 100 / total
    let isNews = lastShown.withLock { last in
      defer { last = percent }
      return percent != last || done == total
    }
    guard isNews else { return }
    let filled = min(Self.width, percent * Self.width / 100)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    let line = done == total ? "\r\u{1B}[K" : "\r\(name) [\(bar)] \(done) of \(total)\u{1B}[K"
    let bytes = Array(line.utf8)
    bytes.withUnsafeBytes { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }

  /// Takes the bar away, for what is said then.
  func end() { show(1, of: 1) }
}
