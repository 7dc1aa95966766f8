import HTTP
import Net

/// How an answer goes out.
extension Connection {
  /// Writes the head of an answer into the loop's scratch.
  func writeHead(
    of answer: PreparedResponse, as form: PreparedResponse.Form, to head: RequestHead?, _ turn: Worker.Turn,
    keepsAlive: Bool
  ) {
    let now = worker.wallSeconds
    worker.scratch.removeAll(keepingCapacity: true)
    answer.appendHead(
      of: form, to: &worker.scratch, now: now, microseconds: worker.marksAnswers ? worker.stopwatch - turn.started : nil
    )
    worker.appendDate(to: &worker.scratch, now: now)
    if worker.marksAnswers {
      worker.scratch.append("X-Request-ID: ")
      turn.number.append(to: &worker.scratch, for: head)
      worker.scratch.append("\r\n")
    }
    worker.cors.append(for: head, to: &worker.scratch)
    if answer.isStream, head?.version == .http11 { worker.scratch.append("Transfer-Encoding: chunked\r\n") }
    if !keepsAlive {
      worker.scratch.append("Connection: close\r\n")
    } else if head?.version == .http10 {
      worker.scratch.append("Connection: keep-alive\r\n")
    }
    worker.scratch.append("\r\n")
  }

  func send(
    _ answer: PreparedResponse, as form: PreparedResponse.Form, to head: RequestHead?, _ turn: Worker.Turn,
    keepsAlive: Bool
  ) async throws {
    writeHead(of: answer, as: form, to: head, turn, keepsAlive: keepsAlive)
    let range = form.range(ofBody: answer.bodyCount)
    switch answer.body {
    case .source(let source) where !range.isEmpty:
      try await send(source, range)
    case .bytes(let body):
      try await send(body, range)
    case .stream(let source) where form == .full:
      try await send(source, inChunks: head?.version == .http11)
    case .empty, .source, .stream:
      try await send([], 0..<0)
    }
  }

  /// Sends the head in `scratch` and a part of a body, with one call if the socket takes them.
  private func send(_ body: [UInt8], _ range: Range<Int>) async throws {
    // The loop's scratch serves other connections while this one waits: the array is copied then, and only then.
    let head = worker.scratch
    stream.deadline = worker.loop.deadline(in: worker.limits.sendStall)
    try await stream.write(head: head, body: body, part: range, stallLimit: worker.limits.sendStall)
  }

  private func send(_ source: any BodySource, _ range: Range<Int>) async throws {
    var head = worker.scratch
    var next = range.lowerBound
    while next < range.upperBound {
      let end = min(next + max(1, source.pieceLength), range.upperBound)
      stream.deadline = .never
      let bytes = await source.bytes(next..<end)
      stream.deadline = worker.loop.deadline(in: worker.limits.sendStall)
      try await stream.write(head: head, body: bytes, stallLimit: worker.limits.sendStall)
      // The length has been promised: all that is left is to end the connection.
      guard bytes.count == end - next else { throw NetError.closed }
      head = []
      next = end
    }
  }

  /// Sends a stream to its end, however long that takes.
  private func send(_ source: any BodyStream, inChunks: Bool) async throws {
    var head = worker.scratch
    let end = stream.end
    stream.end = .never
    defer { stream.end = end }
    while true {
      stream.deadline = .never
      let piece = await source.next()
      // An empty chunk would be the last one (RFC 9112, section 7.1).
      if let piece, piece.isEmpty { continue }
      if inChunks {
        head.append(contentsOf: String(piece?.count ?? 0, radix: 16).utf8)
        head.append("\r\n")
      }
      var body = piece ?? []
      if inChunks { body.append("\r\n") }
      stream.deadline = worker.loop.deadline(in: worker.limits.sendStall)
      try await stream.write(head: head, body: body, stallLimit: worker.limits.sendStall)
      guard piece != nil else { return }
      head = []
    }
  }
}
