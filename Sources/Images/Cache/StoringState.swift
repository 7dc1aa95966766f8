import Synchronization

/// Whether pictures are being stored, and what the log has been told about it. Any thread may note.
final class StoringState: Sendable {
  private struct State {
    var trouble: CacheTrouble?
    var isCrowded = false
  }

  private let path: String
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter path: the cache folder, for the log.
  init(path: String, log: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.log = log
  }

  /// Why pictures are not being stored; nil while they are.
  var trouble: CacheTrouble? { state.withLock { $0.trouble } }

  /// Whether the pictures that products show found no room together, since they last changed.
  var isCrowded: Bool { state.withLock { $0.isCrowded } }

  /// Notes that storing failed; the first time, and when the reason changes, with a line in the log.
  func note(_ trouble: CacheTrouble) {
    // That one picture has no room says nothing of the next.
    guard trouble != .crowded else { return }
    let isNews = state.withLock { state in
      defer { state.trouble = trouble }
      return state.trouble != trouble
    }
    if isNews { log("images: pictures are served but not stored in \(path): \(trouble)") }
  }

  /// Notes that storing works.
  func noteSuccess() {
    let isNews = state.withLock { state in
      defer { state.trouble = nil }
      return state.trouble != nil
    }
    if isNews { log("images: pictures are stored in \(path) again") }
  }

  /// Notes that the pictures that products show need more room than there is; the first time with a line in the log.
  func noteCrowding() {
    let isNews = state.withLock { state in
      defer { state.isCrowded = true }
      return !state.isCrowded
    }
    if isNews {
      log(
        "images: the pictures that products show need more than the cache in \(path) may take; "
          + "some are fetched again and again until --cache-size is raised")
    }
  }

  /// Notes that products show other pictures now.
  func noteOtherPins() { state.withLock { $0.isCrowded = false } }
}
