import CLinux
import HTTP
import Net

/// How request log lines look.
public enum LogFormat: String, Sendable, CaseIterable {
  case off, text, json
}

/// One line per request, gathered on a loop and handed to the log's thread at the end of each turn, so that a slow
/// terminal never holds up an answer.
final class RequestLog {
  private let format: LogFormat
  private let writer: LogWriter
  private var lines: [UInt8] = []

  init(format: LogFormat, writer: LogWriter) {
    self.format = format
    self.writer = writer
  }

  /// Notes an answer. `head` is nil for a request that could not be parsed; `microseconds` is how long it took.
  func note(
    _ head: RequestHead?, _ answer: PreparedResponse, _ form: PreparedResponse.Form, peer: SocketAddress,
    microseconds: Int64
  ) {
    let status = answer.status(of: form)
    let bytes = form.range(ofBody: answer.bodyCount).count
    if format == .json {
      lines.append("{\"time\":\"")
      appendTime()
      lines.append("\",\"peer\":\"")
      lines.append(contentsOf: "\(peer.address)".utf8)
      lines.append("\",\"method\":\"")
      appendMethod(head)
      lines.append("\",\"target\":\"")
      appendTarget(head)
      lines.append("\",\"status\":")
      lines.append(decimal: Int(status.code))
      lines.append(",\"bytes\":")
      lines.append(decimal: bytes)
      lines.append(",\"microseconds\":")
      lines.append(decimal: Int(microseconds))
      lines.append("}\n")
    } else {
      appendTime()
      lines.append(" ")
      lines.append(contentsOf: "\(peer.address)".utf8)
      lines.append(" ")
      appendMethod(head)
      lines.append(" ")
      appendTarget(head)
      lines.append(" ")
      lines.append(decimal: Int(status.code))
      lines.append(" ")
      lines.append(decimal: bytes)
      lines.append("B ")
      lines.append(decimal: Int(microseconds))
      lines.append("us\n")
    }
  }

  /// Hands the lines of this turn on.
  func flush() {
    guard !lines.isEmpty else { return }
    writer.write(lines)
    lines.removeAll(keepingCapacity: true)
  }

  private func appendTime() {
    let stamp = HTTPDate(seconds: clinux_wall_seconds())
    stamp.appendTimestamp(to: &lines)
  }

  private func appendMethod(_ head: RequestHead?) {
    guard let head else { return lines.append("-") }
    // A method is a token, which holds no quote and no backslash; one that nobody knows may be long.
    lines.append(contentsOf: head.methodName.prefix(32))
  }

  private func appendTarget(_ head: RequestHead?) {
    guard let head else { return lines.append("-") }
    // The parser lets only visible ASCII without quotes and backslashes into a target.
    head.withTarget { target in target.withUnsafeBytes { lines.append(contentsOf: $0) } }
  }
}
