import CLinux
@testable import HTTP
import Net
@testable import Server

/// A connection of a client: the product's parsers, and answers as the origin gave them. The server's own writer is not used,
/// as it would write a Date, a Vary and fields of its own into what is another's answer.
///
/// `@unchecked Sendable`: belongs to one task on the proxy's loop.
final class ClientSide: @unchecked Sendable {
  private let stream: ByteStream
  private let cache: SharedCache
  private let limits = RequestLimits()

  init(_ stream: ByteStream, _ cache: SharedCache) {
    self.stream = stream
    self.cache = cache
  }

  func serve() async {
    defer { stream.close() }
    do { while try await serveOne() {} } catch {}
  }

  private func serveOne() async throws -> Bool {
    let storage = HeadStorage(limits: limits)
    storage.prepend(rest[...])
    rest = []
    var parser = RequestParser(limits: limits)
    while true {
      if case .head(let head) = try parser.parse(storage) {
        let body = try await self.body(of: head, storage)
        try await answer(head, await cache.respond(head, body: body))
        return head.keepsAlive
      }
      guard try await fill(storage) else { return false }
    }
  }

  /// What came behind a request's body.
  private var rest: [UInt8] = []

  private func fill(_ storage: HeadStorage) async throws -> Bool {
    while true {
      try await stream.readable()
      if let count = try storage.fill({ (room) throws(NetError) in try stream.tryRead(into: room) }) {
        return count > 0
      }
    }
  }

  private func body(of head: RequestHead, _ storage: HeadStorage) async throws -> [UInt8] {
    var reader = BodyReader(framing: head.framing, limit: 1 << 20)
    var bytes = storage.take(upTo: .max)
    while true {
      let taken = try reader.take(bytes)
      guard !reader.isAtEnd else {
        rest = Array(bytes[taken...])
        return reader.body
      }
      bytes = try await stream.read(upTo: 65_536)
      guard !bytes.isEmpty else { throw NetError.closed }
    }
  }

  // MARK: Answering

  private func answer(_ head: RequestHead, _ answer: ProxyAnswer) async throws {
    let now = clinux_wall_seconds()
    var answer = answer
    if answer.isStored { apply(head, to: &answer, now: now) }
    if !answer.fields.has("date") { answer.fields.add("Date", HTTPDate(seconds: now).bytes) }
    var bytes = Array("HTTP/1.1 \(answer.status) Status\r\n".utf8)
    answer.fields.append(to: &bytes)
    let hasBody = answer.status != 204 && answer.status != 304
    if hasBody { bytes += Array("Content-Length: \(answer.body.count)\r\n".utf8) }
    if !head.keepsAlive { bytes += Array("Connection: close\r\n".utf8) }
    bytes += [0x0D, 0x0A]
    try await stream.write(head: bytes, body: hasBody && head.method != .head ? answer.body : [])
  }

  /// Conditions and ranges of a request, for an answer at hand.
  private func apply(_ head: RequestHead, to answer: inout ProxyAnswer, now: Int64) {
    guard answer.status == 200 else { return }
    let tag = answer.fields.values(of: "etag").first.flatMap { EntityTag($0.span) }
    let changed = answer.fields.values(of: "last-modified").first.flatMap { HTTPDate($0.span, now: now) }
    switch Precondition(head, entityTag: tag, lastModified: changed, now: now) {
    case .notModified:
      answer.status = 304
      answer.fields.remove(["content-type", "content-encoding"])
    case .fails:
      answer.status = 412
      answer.body = []
    case .holds:
      switch Precondition.range(
        head, length: answer.body.count, entityTag: tag, lastModified: changed, now: now)
      {
      case .whole: break
      case .part(let range):
        answer.fields.add(
          "Content-Range", Array("bytes \(range.lowerBound)-\(range.upperBound - 1)/\(answer.body.count)".utf8))
        answer.status = 206
        answer.body = Array(answer.body[range])
      case .unsatisfiable:
        answer.fields.add("Content-Range", Array("bytes */\(answer.body.count)".utf8))
        answer.status = 416
        answer.body = []
      }
    }
  }
}
