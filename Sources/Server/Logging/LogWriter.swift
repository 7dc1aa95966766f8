import CLinux
import Glibc
import HTTP
import Metrics
import Net
import Synchronization

/// The log: takes lines from any thread, and writes them to a descriptor from a thread of its own.
///
/// Whoever hands lines in never waits for the descriptor. Lines of requests gather for a moment, as a write for each would
/// cost more than the requests; what an operator should know is written at once. What is held back is bounded: lines that
/// find no room are dropped, counted, and told of as soon as there is room again.
public final class LogWriter: Sendable {
  private struct Queue {
    var bytes: [UInt8] = []
    /// Memory for the next lines, while `bytes` is being written.
    var spare: [UInt8] = []
    /// Lines that were dropped and not told of yet.
    var untold = 0
    var isWriting = false
  }

  private let descriptor: Int32
  private let limit: Int
  private let queue = Mutex(Queue())
  private let dropped = Atomic<UInt64>(0)
  private let written = Mutex(LogSettings())
  private let revision = Atomic<UInt64>(0)
  private let thread = BlockingThreads(limit: 1)
  /// Ends a pause in which lines gather; negative when there is no descriptor for it, and then nobody pauses.
  private let alarm = clinux_eventfd()
  /// What the thread is given to do; made once, as each making allocates.
  private let work = Mutex<(@Sendable () -> Void)?>(nil)

  /// For how long lines of requests gather, in milliseconds.
  private static let pause: Int32 = 50
  /// How long a descriptor that takes nothing is waited for, before a look at whether to go on.
  private static let patience: Int32 = 1_000

  /// Writes to `descriptor` (2 is standard error), holding back `limit` bytes at most.
  public init(_ settings: LogSettings = LogSettings(), descriptor: Int32 = 2, limit: Int = 1 << 20) {
    self.descriptor = descriptor
    self.limit = limit
    written.withLock { $0 = settings }
    work.withLock { work in work = { [weak self] in self?.writeQueue(pausing: true) } }
  }

  deinit {
    if alarm >= 0 { clinux_close(alarm) }
  }

  /// What is logged, and how. A new value counts from the next request on.
  public var settings: LogSettings {
    get { written.withLock { $0 } }
    set {
      written.withLock { $0 = newValue }
      revision.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// Moves on with each new value of `settings`.
  var settingsRevision: UInt64 { revision.load(ordering: .acquiring) }

  /// How many lines were dropped so far.
  public var droppedLines: UInt64 { dropped.load(ordering: .relaxed) }

  /// Has a registry tell how many.
  public func register(in registry: MetricRegistry) {
    registry.counters(
      "banchan_log_dropped_lines_total", help: "Lines of the log that found no room, or could not be written."
    ) { [weak self] samples in
      if let self { samples.add(droppedLines) }
    }
  }

  // MARK: Taking lines

  /// Takes whole lines, each with its line end, and how many they are. They may be written a moment later.
  func write(_ lines: [UInt8], count: Int) { take(lines, count: count, atOnce: false) }

  /// Takes what an operator should know, in one sentence, unless it matters too little for the settings.
  public func write(_ message: String, _ level: LogLevel = .warning) {
    let settings = settings
    guard level >= settings.level else { return }
    var line: [UInt8] = []
    line.append(message: message, level, as: settings.format)
    take(line, count: 1, atOnce: true)
  }

  private func take(_ lines: [UInt8], count: Int, atOnce: Bool) {
    let format = settings.format
    let (mustStart, mustHurry) = queue.withLock { queue in
      let before = queue.bytes.count
      guard before + lines.count <= limit else {
        queue.untold += count
        dropped.wrappingAdd(UInt64(count), ordering: .relaxed)
        return (false, false)
      }
      if queue.untold > 0 {
        queue.bytes.append(message: "the log fell behind, lines dropped: \(queue.untold)", .warning, as: format)
        queue.untold = 0
      }
      queue.bytes.append(contentsOf: lines)
      defer { queue.isWriting = true }
      // Nobody waits until there is no room left.
      return (!queue.isWriting, before < limit / 4 && queue.bytes.count >= limit / 4)
    }
    if atOnce || mustHurry { wake() }
    if mustStart, let work = work.withLock({ $0 }) { thread.submit(work) }
  }

  /// Returns once everything taken so far has been written, or cannot be.
  public func flush() async {
    wake()
    await thread.run { self.writeQueue(pausing: false) }
  }

  private func wake() {
    if alarm >= 0 { clinux_eventfd_signal(alarm) }
  }

  // MARK: Writing, on the thread

  private func writeQueue(pausing: Bool) {
    while true {
      if pausing { gather() }
      let bytes: [UInt8] = queue.withLock { queue in
        let bytes = queue.bytes
        queue.bytes = queue.spare
        queue.spare = []
        if bytes.isEmpty { queue.isWriting = false }
        return bytes
      }
      guard !bytes.isEmpty else { return }
      write(bytes)
      giveBack(bytes)
    }
  }

  /// Lets lines come together, until somebody has something to say.
  private func gather() {
    guard alarm >= 0 else { return }
    var waiting = pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, Self.pause) == 1 { clinux_eventfd_drain(alarm) }
  }

  private func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        rest.baseAddress.map { clinux_write(descriptor, $0, rest.count) } ?? 0
      }
      if count > 0 {
        written += count
      } else if count == -Int(EAGAIN) {
        // Somebody else's idea: a terminal or a pipe may be shared with one who does not wait.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, Self.patience)
      } else {
        // A log that cannot be written to is no reason to stop serving.
        let lines = bytes[written...].count { $0 == UInt8(ascii: "\n") }
        dropped.wrappingAdd(UInt64(lines), ordering: .relaxed)
        queue.withLock { $0.untold += lines }
        return
      }
    }
  }

  /// Keeps the memory of what was written for what comes.
  private func giveBack(_ bytes: consuming [UInt8]) {
    var bytes = bytes
    bytes.removeAll(keepingCapacity: true)
    queue.withLock { queue in
      if queue.spare.capacity < bytes.capacity { queue.spare = bytes }
    }
  }
}

extension [UInt8] {
  /// Appends a line for the operator.
  fileprivate mutating func append(message: String, _ level: LogLevel, as format: LogFormat) {
    if format == .json {
      let now = clinux_wall_milliseconds()
      append("{\"time\":\"")
      HTTPDate(seconds: now / 1_000).appendTimestamp(to: &self)
      append("\",\"level\":\"")
      append(contentsOf: level.rawValue.utf8)
      append("\",\"message\":\"")
      append(logged: message, as: .json)
      append("\"}\n")
    } else {
      append("banchan: ")
      append(logged: message, as: .text)
      append("\n")
    }
  }
}
