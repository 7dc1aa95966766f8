import HTTP
import Net

/// The way of nearly all requests: whole when it is read, its answer given before, and taken by the socket at once. It waits
/// for nothing, so it costs no task a frame; whatever it cannot finish it leaves to the functions that wait.
extension Connection {
  /// What became of a request that was tried without waiting.
  enum AtOnce {
    case sent(keepsAlive: Bool)
    /// The client does not take it all now.
    case unsent
    /// The head is not there yet, or the answer has to be made.
    case unanswered
  }

  /// What is left to send of an answer.
  struct Rest {
    let head: [UInt8]
    let body: [UInt8]
    let part: Range<Int>
    var sent = 0
    let keepsAlive: Bool

    var isEmpty: Bool { sent == head.count + part.count }
  }

  /// Answers the request whose first bytes are there, if it is whole and its answer was given before.
  @inline(never)
  func answerAtOnce() throws -> AtOnce {
    var parser = RequestParser(limits: worker.limits.request)
    guard let storage, case .head(let head) = try parser.parse(storage) else { return .unanswered }
    guard let key = key(of: head),
      let known = worker.answers.answer(to: head, key, generation: worker.generation.value, now: worker.wallSeconds)
    else {
      unanswered = head
      return .unanswered
    }
    let turn = worker.beginTurn()
    let (answer, form) = select(known, for: head)
    let keepsAlive = mayGoOn(after: answer, to: head)
    writeHead(of: answer, as: form, to: head, turn, keepsAlive: keepsAlive)
    let body = if case .bytes(let bytes) = answer.body { bytes } else { [UInt8]() }
    var rest = Rest(
      head: worker.scratch, body: body, part: form.range(ofBody: body.count), keepsAlive: keepsAlive)
    while !rest.isEmpty {
      guard let taken = try stream.tryWrite(head: rest.head, body: rest.body, part: rest.part, from: rest.sent) else {
        break
      }
      rest.sent += taken
    }
    note(head, answer, form, turn, wasKept: true)
    guard !rest.isEmpty else { return .sent(keepsAlive: keepsAlive) }
    unsent = rest
    return .unsent
  }

  /// Sends what the client did not take at once; true when the connection may carry another request.
  @inline(never)
  func sendRest() async throws -> Bool {
    guard let rest = unsent else { return false }
    unsent = nil
    stream.deadline = worker.loop.deadline(in: worker.limits.sendStall)
    try await stream.write(
      head: rest.head, body: rest.body, part: rest.part, from: rest.sent, stallLimit: worker.limits.sendStall)
    return rest.keepsAlive
  }
}
