import CLinux
import Glibc
import Net
import Server

/// The picture origin of the demo shop: `banchan origin` on the seed folder, as a child that ends with this process.
struct DemoOriginChild {
  private let process: ChildProcess
  /// Where it serves, with a slash at the end.
  let base: String

  /// Starts it, and waits until it listens. Its log lines go on to `logWriter`, when there is one.
  static func start(folder: String, logWriter: LogWriter, logsRequests: Bool) throws(CommandFailure) -> DemoOriginChild
  {
    let process = try ChildProcess.start([
      OriginCommand.name, "--dir", folder, "--port", "0", "--log", logsRequests ? "text" : "off", "--parent",
      "\(getpid())",
    ])
    var lines = LineReader(descriptor: process.output)
    while let line = lines.next() {
      let words = line.split(separator: " ")
      guard let base = words.first(where: { $0.hasPrefix("http://") }), words.contains("listening") else {
        logWriter.write("origin: \(line)", .info)
        continue
      }
      forward(lines, to: logWriter)
      return DemoOriginChild(process: process, base: String(base))
    }
    throw .failed("the demo origin for \(folder) ended before it listened; name an origin with --origin-base URL")
  }

  /// Ends it.
  func end() { process.end() }

  /// Keeps reading, so that the child never waits for its log.
  private static func forward(_ lines: LineReader, to logWriter: LogWriter) {
    BlockingThreads(limit: 1).submit {
      var lines = lines
      while let line = lines.next() { logWriter.write("origin: \(line)", .info) }
      clinux_close(lines.descriptor)
    }
  }
}

/// Reads lines from a descriptor that may block.
private struct LineReader: Sendable {
  let descriptor: Int32
  private var pending: [UInt8] = []

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its end; nil at the end of the stream.
  mutating func next() -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = buffer.baseAddress.map { max(0, clinux_read(descriptor, $0, buffer.count)) } ?? 0
      }
      guard !chunk.isEmpty else { return nil }
      pending += chunk
    }
  }
}
