import HTTP
import Net

/// How a request's body is taken in, or left where it is.
extension Connection {
  /// What came of a request's body.
  enum Intake {
    case body([UInt8])
    /// Nothing was read: the responder answers the head alone.
    case refused(Response)
  }

  /// Reads the body that the head announces, as far as the responder admits it; throws when it is too large or does not
  /// come.
  ///
  /// - Parameter held: what of the server's memory for bodies it takes, to be given back when the request is answered.
  func takeBody(of head: RequestHead, held: inout Int) async throws -> Intake {
    guard head.framing != .none else { return .body([]) }
    stream.deadline = .never
    switch await worker.responder.admitBody(of: head) {
    case .usual: return .body(try await readBody(of: head, limit: worker.limits.request.body, &held))
    case .upTo(let limit): return .body(try await readBody(of: head, limit: limit, &held))
    case .refused(var response):
      // What follows is the unread body, not a next request.
      response.closesConnection = true
      return .refused(response)
    }
  }

  private func readBody(of head: RequestHead, limit: Int, _ held: inout Int) async throws -> [UInt8] {
    if case .length(let length) = head.framing, length > limit { throw RequestFault.bodyTooLarge }
    if head.expectation == .continue, storage?.count == 0 {
      try await stream.write(body: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), stallLimit: worker.limits.sendStall)
    }
    var reader = BodyReader(framing: head.framing, limit: limit)
    var rest = storage?.take(upTo: .max) ?? []
    while true {
      let taken = try reader.take(rest)
      guard worker.requestMemory.take(taken, held: &held) else { throw RequestFault.overloaded }
      if reader.isAtEnd {
        returnToStorage(rest[taken...])
        return reader.body
      }
      stream.deadline = worker.loop.deadline(in: worker.limits.bodyStall)
      do throws(NetError) {
        rest = try await stream.read(upTo: 16 * 1024)
      } catch {
        throw error == .timedOut ? RequestFault.timedOut as any Error : error
      }
      guard !rest.isEmpty else { throw RequestFault.malformed("a body that ends too early") }
    }
  }

  /// Puts bytes that belong to the next request where it will be read from.
  private func returnToStorage(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    let storage = writableStorage()
    storage.prepend(bytes)
  }
}
