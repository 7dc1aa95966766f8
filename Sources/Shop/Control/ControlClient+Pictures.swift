import HTTP
import JSON
import Net

// What the commands about pictures ask of a running server.
extension ControlClient {
  /// What is there and what is not.
  public func pictureStatus(on loop: EventLoop) async throws(Fault) -> PictureStatus {
    try Self.read(try await post("/images/status", [], on: loop), PictureStatus.init)
  }

  /// Has the server go through all pictures, and waits for the end.
  public func warmPictures(
    on loop: EventLoop, progress: @escaping @Sendable (StepCount) -> Void
  ) async throws(Fault) -> WarmingReport {
    try await result(of: "/images/warm", on: loop, progress, WarmingReport.init)
  }

  /// Has the server read every stored file.
  public func checkPictures(
    on loop: EventLoop, progress: @escaping @Sendable (StepCount) -> Void
  ) async throws(Fault) -> CheckReport {
    try await result(of: "/images/verify", on: loop, progress, CheckReport.init)
  }

  /// Has the server remove pictures, or says what it would remove.
  public func purgePictures(
    _ selection: PictureSelection, isDryRun: Bool, on loop: EventLoop
  ) async throws(Fault) -> PurgeReport {
    let (what, body): (String, [UInt8]) =
      switch selection {
      case .all: ("all", [])
      case .failed: ("failed", [])
      case .reference(let text): ("reference", Array(text.utf8))
      }
    return try Self.read(
      try await post("/images/purge?what=\(what)&dry-run=\(isDryRun)", body, on: loop), PurgeReport.init)
  }

  private static func read<Report>(_ answer: [UInt8], _ make: (JSONValue) -> Report?) throws(Fault) -> Report {
    guard let value = try? JSONValue(parsing: answer), let report = make(value) else { throw .unintelligible }
    return report
  }

  /// Reads the steps of a command, and its result at the end.
  private func result<Report>(
    of target: String, on loop: EventLoop, _ progress: (StepCount) -> Void, _ make: (JSONValue) -> Report?
  ) async throws(Fault) -> Report {
    var result: JSONValue?
    try await lines(of: target, on: loop) { line in
      if let step = StepCount(line) { progress(step) }
      result = line["result"] ?? result
    }
    guard let report = result.flatMap(make) else { throw .unintelligible }
    return report
  }

  /// The lines of an answer as they come. Over HTTP/1.0 a stream ends with its connection, and has no chunks.
  private func lines(of target: String, on loop: EventLoop, _ take: (JSONValue) -> Void) async throws(Fault) {
    var unread: [UInt8] = []
    var status: Int?
    do throws(NetError) {
      let stream = try ByteStream.connect(toPath: path, on: loop)
      defer { stream.close() }
      stream.deadline = loop.deadline(in: Self.patience)
      try await stream.write(body: Array("POST \(target) HTTP/1.0\r\nHost: control\r\nContent-Length: 0\r\n\r\n".utf8))
      while true {
        let bytes = try await stream.read(upTo: 1 << 16)
        guard !bytes.isEmpty else { break }
        stream.deadline = loop.deadline(in: Self.patience)
        unread += bytes
        if status == nil {
          var parser = ResponseParser(answersHEAD: false)
          guard let (head, length) = try? parser.parse(unread) else { continue }
          status = head.status
          unread.removeFirst(length)
        }
        guard status == 200 else { continue }
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          if let line = try? JSONValue(parsing: Array(unread[..<end])) { take(line) }
          unread.removeSubrange(...end)
        }
      }
    } catch {
      throw .connection(error)
    }
    if status != 200 { throw Self.refusal(unread) }
  }
}
