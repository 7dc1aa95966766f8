import HTTP
import Net
import Synchronization

/// Tells everybody who listens what happens in the shop.
///
/// Of each kind the hub keeps the newest event alone, and for each listener which kinds it has not had yet. So whoever
/// comes is told how things are, a slow one skips what is outdated, and no number of events takes more memory than one.
/// Any thread may publish.
final class EventHub: Sendable {
  /// What is waiting for a listener.
  private struct Pending {
    var kinds: Set<EventKind> = []
    var wantsHeartbeat = false

    var isEmpty: Bool { kinds.isEmpty && !wantsHeartbeat }
  }

  private struct Listener {
    var pending: Pending
    var waiting: UnsafeContinuation<Void, Never>?
  }

  private struct State {
    var newest: [EventKind: LiveEvent] = [:]
    var listeners: [Int: Listener] = [:]
    var lastNumber = 0
    var isBeating = false
    var hasEnded = false

    /// Notes something for every listener, and returns those to be woken once the lock is free.
    mutating func wakeAll(_ note: (inout Pending) -> Void) -> [UnsafeContinuation<Void, Never>] {
      var woken: [UnsafeContinuation<Void, Never>] = []
      for number in Array(listeners.keys) {
        guard var listener = listeners[number] else { continue }
        note(&listener.pending)
        if let waiting = listener.waiting { woken.append(waiting) }
        listener.waiting = nil
        listeners[number] = listener
      }
      return woken
    }
  }

  private let state = Mutex(State())
  private let loop: EventLoop
  private let limit: Int
  private let heartbeat: Int64

  /// - Parameters:
  ///   - loop: where the heart beats.
  ///   - limit: how many may listen at a time.
  ///   - heartbeat: milliseconds between two signs of life, for proxies that end silent connections, and to find out who
  ///     is gone.
  init(on loop: EventLoop, limit: Int = 512, heartbeat: Int64 = 15_000) {
    self.loop = loop
    self.limit = limit
    self.heartbeat = heartbeat
  }

  /// Publishes what `make` says. It is called under the hub's lock, so that of two who publish at once the one who looked
  /// last has the last word.
  func publish(_ kind: EventKind, _ make: () -> LiveEvent) {
    let woken: [UnsafeContinuation<Void, Never>] = state.withLock { state in
      guard !state.hasEnded else { return [] }
      state.newest[kind] = make()
      return state.wakeAll { _ = $0.kinds.insert(kind) }
    }
    for listener in woken { listener.resume() }
  }

  /// Ends all streams, each after what it still has to say; nobody can listen from then on.
  func end() {
    let woken = state.withLock { state in
      state.hasEnded = true
      return state.wakeAll { _ in }
    }
    for listener in woken { listener.resume() }
  }

  /// Why nobody more can listen.
  enum Refusal: Error { case full, ended }

  /// A stream of events, which begins with the newest of each kind.
  /// - Parameter lastID: what the listener heard last; that event is left out.
  func listen(after lastID: [UInt8]?) throws(Refusal) -> EventStream {
    let (number, mustBeat) = try state.withLock { (state) throws(Refusal) in
      guard !state.hasEnded else { throw .ended }
      guard state.listeners.count < limit else { throw .full }
      let news = state.newest.filter { _, event in event.id.map { lastID?.elementsEqual($0.utf8) != true } ?? true }
      state.lastNumber += 1
      state.listeners[state.lastNumber] = Listener(pending: Pending(kinds: Set(news.keys)))
      defer { state.isBeating = true }
      return (state.lastNumber, !state.isBeating)
    }
    if mustBeat { Task.detached(executorPreference: loop) { await self.beat() } }
    return EventStream(number, of: self)
  }

  /// How many listen.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Goes on as long as anybody listens: an idle shop has no timer.
  private func beat() async {
    while true {
      await loop.sleep(milliseconds: heartbeat)
      let woken: [UnsafeContinuation<Void, Never>]? = state.withLock { state in
        guard !state.listeners.isEmpty, !state.hasEnded else {
          state.isBeating = false
          return nil
        }
        return state.wakeAll { $0.wantsHeartbeat = true }
      }
      guard let woken else { return }
      for listener in woken { listener.resume() }
    }
  }

  // MARK: For streams

  /// What a listener has not had yet; nil at the end. One call at a time for each.
  fileprivate func next(of number: Int) async -> [UInt8]? {
    while true {
      let (piece, isEnd) = take(number)
      if let piece { return piece }
      if isEnd { return nil }
      await withUnsafeContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard let listener = state.listeners[number], listener.pending.isEmpty, !state.hasEnded else { return false }
          state.listeners[number]?.waiting = continuation
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    }
  }

  private func take(_ number: Int) -> (piece: [UInt8]?, isEnd: Bool) {
    state.withLock { state in
      guard let pending = state.listeners[number]?.pending else { return (nil, true) }
      state.listeners[number]?.pending = Pending()
      let events = EventKind.allCases.filter(pending.kinds.contains).compactMap { state.newest[$0]?.bytes }
      if !events.isEmpty { return (Array(events.joined()), false) }
      // A line that begins with a colon is a comment.
      return (pending.wantsHeartbeat ? Array(":\n\n".utf8) : nil, state.hasEnded)
    }
  }

  fileprivate func leave(_ number: Int) {
    state.withLock { $0.listeners[number] = nil }
  }
}

/// One listener's side of the hub, as the body of an answer. It leaves the hub when it is let go.
final class EventStream: BodyStream {
  /// For how many milliseconds a client waits before it connects again, and that it is connected.
  private static let preamble = Array("retry: 3000\n\n".utf8)

  private let number: Int
  private let hub: EventHub
  private let hasBegun = Mutex(false)

  fileprivate init(_ number: Int, of hub: EventHub) {
    self.number = number
    self.hub = hub
  }

  deinit { hub.leave(number) }

  /// The preamble with what is known already, then each time what is new.
  func next() async -> [UInt8]? {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    guard isFirst else { return await hub.next(of: number) }
    return Self.preamble + hub.newsAtOnce(of: number)
  }
}

extension EventHub {
  /// What a listener has not had yet, without waiting for more.
  fileprivate func newsAtOnce(of number: Int) -> [UInt8] { take(number).piece ?? [] }
}
