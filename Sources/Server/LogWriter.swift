import CLinux
import HTTP
import Net
import Synchronization

/// Writes log lines to a descriptor from a thread of its own. Bounded: lines that find the queue full are dropped, and
/// how many bytes that were is said as soon as there is room again.
public final class LogWriter: Sendable {
  private struct Queue {
    var bytes: [UInt8] = []
    var dropped = 0
    var isWriting = false
  }

  private let descriptor: Int32
  private let limit: Int
  private let queue = Mutex(Queue())
  private let thread = BlockingThreads(limit: 1)

  /// Writes to `descriptor` (2 is standard error), holding back `limit` bytes at most.
  public init(descriptor: Int32 = 2, limit: Int = 1 << 20) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// Takes whole lines, each with its line end.
  public func write(_ lines: [UInt8]) {
    let mustStart = queue.withLock { queue in
      guard queue.bytes.count + lines.count <= limit else {
        queue.dropped += lines.count
        return false
      }
      if queue.dropped > 0 {
        queue.bytes.append("banchan: the log fell behind; bytes dropped: ")
        queue.bytes.append(decimal: queue.dropped)
        queue.bytes.append("\n")
        queue.dropped = 0
      }
      queue.bytes.append(contentsOf: lines)
      defer { queue.isWriting = true }
      return !queue.isWriting
    }
    if mustStart { thread.submit { self.writeQueue() } }
  }

  /// Takes one line of text.
  public func write(_ line: String) {
    write(Array(line.utf8) + [UInt8(ascii: "\n")])
  }

  private func writeQueue() {
    while true {
      let bytes: [UInt8] = queue.withLock { queue in
        if queue.bytes.isEmpty { queue.isWriting = false }
        defer { queue.bytes = [] }
        return queue.bytes
      }
      guard !bytes.isEmpty else { return }
      var written = 0
      while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { rest in
          rest.baseAddress.map { clinux_write(descriptor, $0, rest.count) } ?? 0
        }
        // A log that cannot be written to is no reason to stop serving.
        guard count > 0 else { break }
        written += count
      }
    }
  }

  /// Returns once everything taken so far has been written.
  public func flush() async {
    await thread.run { self.writeQueue() }
  }
}
