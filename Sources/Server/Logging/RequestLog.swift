import CLinux
import HTTP
import Net

/// One line per request, gathered on a loop and handed to the log's thread at the end of each turn, so that a slow terminal
/// never holds up an answer. Writing a line allocates nothing.
final class RequestLog {
  /// What is known of a request that was answered.
  struct Entry {
    /// Nil for a request that could not be parsed.
    let head: RequestHead?
    let answer: PreparedResponse
    let form: PreparedResponse.Form
    let peer: IPAddress
    /// Whether `peer` is a proxy whose word on the client's address counts.
    let isFromTrustedProxy: Bool
    let number: RequestNumber
    let microseconds: Int64
  }

  private let writer: LogWriter
  private var settings: LogSettings
  private var revision: UInt64
  private var lines: [UInt8] = []
  private var count = 0
  private var stampedSecond: Int64 = -1
  /// The time of a line up to its fraction.
  private var stamp: [UInt8] = []

  /// Of what a client calls itself, the first so many bytes are told.
  private static let longestAgent = 256
  /// A target may have 8 KiB, and who guesses at paths sends many of them.
  private static let longestTarget = 1_024
  private static let longestMethod = 32

  init(writer: LogWriter) {
    self.writer = writer
    revision = writer.settingsRevision
    settings = writer.settings
    lines.reserveCapacity(16_384)
    stamp.reserveCapacity(32)
  }

  /// Whether an answer is worth a line.
  @inline(__always)
  func takes(_ answer: PreparedResponse, _ status: Status) -> Bool {
    if revision != writer.settingsRevision {
      revision = writer.settingsRevision
      settings = writer.settings
    }
    guard settings.format != .off else { return false }
    let level: LogLevel = status.code >= 500 ? .error : answer.isProbe ? .debug : .info
    return level >= settings.level
  }

  /// Notes an answer that is worth a line.
  func note(_ entry: Entry) {
    if settings.format == .json { appendObject(entry) } else { appendText(entry) }
    count += 1
  }

  /// Hands the lines of this turn on.
  func flush() {
    guard count > 0 else { return }
    writer.write(lines, count: count)
    lines.removeAll(keepingCapacity: true)
    count = 0
  }

  // MARK: Lines

  private func appendText(_ entry: Entry) {
    appendTime()
    lines.append(" ")
    appendAddress(of: entry)
    lines.append(" ")
    appendMethod(entry.head)
    lines.append(" ")
    appendTarget(entry.head)
    lines.append(" ")
    appendOutcome(of: entry, "", " ", "B ", "us ")
    entry.number.append(to: &lines, for: entry.head)
    if let trace = entry.head?.traceParent {
      lines.append(" trace=")
      lines.append(hex: trace.trace.high)
      lines.append(hex: trace.trace.low)
    }
    lines.append(" \"")
    if appendAgent(entry.head) { lines.append("\"\n") } else { lines.append("-\"\n") }
  }

  private func appendObject(_ entry: Entry) {
    lines.append("{\"time\":\"")
    appendTime()
    lines.append("\",\"request\":\"")
    entry.number.append(to: &lines, for: entry.head)
    lines.append("\",\"peer\":\"")
    appendAddress(of: entry)
    lines.append("\",\"method\":\"")
    appendMethod(entry.head)
    lines.append("\",\"target\":\"")
    appendTarget(entry.head)
    lines.append("\",\"status\":")
    appendOutcome(of: entry, "", ",\"bytes\":", ",\"microseconds\":", ",\"cache\":")
    if let word = entry.answer.cacheWord {
      lines.append("\"")
      lines.append(word)
      lines.append("\"")
    } else {
      lines.append("null")
    }
    if let trace = entry.head?.traceParent {
      lines.append(",\"trace\":\"")
      lines.append(hex: trace.trace.high)
      lines.append(hex: trace.trace.low)
      lines.append("\",\"parent\":\"")
      lines.append(hex: trace.parent)
      lines.append("\"")
    }
    lines.append(",\"agent\":\"")
    _ = appendAgent(entry.head)
    lines.append("\"}\n")
  }

  /// Appends status, bytes and time, with a text before, between and after them.
  private func appendOutcome(
    of entry: Entry, _ start: StaticString, _ second: StaticString, _ third: StaticString, _ end: StaticString
  ) {
    lines.append(start)
    lines.append(decimal: Int(entry.answer.status(of: entry.form).code))
    lines.append(second)
    lines.append(decimal: entry.form.range(ofBody: entry.answer.bodyCount).count)
    lines.append(third)
    lines.append(decimal: Int(entry.microseconds))
    lines.append(end)
  }

  // MARK: Parts of a line

  private func appendTime() {
    let now = clinux_wall_milliseconds()
    if now / 1_000 != stampedSecond {
      stampedSecond = now / 1_000
      stamp.removeAll(keepingCapacity: true)
      HTTPDate(seconds: stampedSecond).appendTimestamp(to: &stamp)
      // The fraction stands before the Z.
      stamp.removeLast()
      stamp.append(".")
    }
    lines.append(contentsOf: stamp)
    let fraction = Int(now % 1_000)
    if fraction < 100 { lines.append(fraction < 10 ? "00" : "0") }
    lines.append(decimal: fraction)
    lines.append("Z")
  }

  private func appendAddress(of entry: Entry) {
    var address = entry.peer
    if entry.isFromTrustedProxy, let head = entry.head { address = ForwardedClient.address(head) ?? address }
    switch settings.addresses {
    case .off: lines.append("-")
    case .short: address.shortened.append(to: &lines)
    case .full: address.append(to: &lines)
    }
  }

  private func appendMethod(_ head: RequestHead?) {
    guard let head else { return lines.append("-") }
    guard head.method == .unknown else { return lines.append(head.method.name) }
    head.withMethodName { lines.append(logged: $0, upTo: Self.longestMethod, as: settings.format) }
  }

  private func appendTarget(_ head: RequestHead?) {
    guard let head else { return lines.append("-") }
    head.withTarget { lines.append(logged: $0, upTo: Self.longestTarget, as: settings.format) }
  }

  /// False when the client does not say what it is.
  private func appendAgent(_ head: RequestHead?) -> Bool {
    head?.withValue(of: .userAgent) { lines.append(logged: $0, upTo: Self.longestAgent, as: settings.format) } != nil
  }
}
