import HTTP
import Net

/// How a connection ends with a client that broke the rules, or that there is no room for: with an answer that it can
/// read.
extension Connection {
  /// Answers that there is no room, and closes. Over TLS only a few are told so at a time, as a handshake takes memory and
  /// time that are short; the others are only closed.
  @inline(never)
  func turnAway() async {
    defer { stream.close() }
    guard let tls else { return await refuse(.overloaded) }
    guard worker.encryptedRefusals < Worker.mostEncryptedRefusals else { return }
    worker.encryptedRefusals += 1
    if await secure(with: tls) { await refuse(.overloaded) }
    worker.encryptedRefusals -= 1
  }

  /// Agrees on TLS; false when the connection is to be closed instead.
  @inline(never)
  func secure(with context: TLSServerContext) async -> Bool {
    stream.deadline = worker.loop.deadline(in: worker.limits.handshakeTime)
    do throws(NetError) {
      try await stream.acceptTLS(context)
      worker.tally?.add(to: .handshakes)
      return true
    } catch .plainHTTP {
      await refuse(.malformed("plain HTTP on a port for HTTPS"))
    } catch .tls {
      // OpenSSL has sent an alert that says why; it must not be lost to a reset.
      try? await linger()
    } catch {
      // The client went away, or was too slow: there is nobody left to tell.
    }
    worker.tally?.add(to: .failedHandshakes)
    return false
  }

  /// Answers a request whose head is none.
  @inline(never)
  func refuse(_ fault: RequestFault) async {
    await refuse(fault, nil)
  }

  /// Answers a request that no endpoint may see, and lets the client read that answer before the connection goes.
  @inline(never)
  func refuse(_ fault: RequestFault, _ head: RequestHead?) async {
    let turn = worker.beginTurn()
    let answer = PreparedResponse(worker.responder.response(to: .fault(fault), head: head))
    let form = head?.method == .head ? PreparedResponse.Form.headOnly : .full
    do {
      stream.deadline = worker.loop.deadline(in: worker.limits.sendStall)
      try await send(answer, as: form, to: head, turn, keepsAlive: false)
      note(head, answer, form, turn)
      try await linger()
    } catch {
      // The client is gone already.
    }
  }

  /// Takes in what the client is still sending, for a while: closing with unread bytes would reset the connection under
  /// the answer.
  @inline(never)
  func linger() async throws {
    stream.finishWriting()
    stream.deadline = worker.loop.deadline(in: worker.limits.lingerTime)
    var passed = 0
    while passed < worker.limits.lingerBytes {
      let bytes = try await stream.read(upTo: 16 * 1024)
      guard !bytes.isEmpty else { return }
      passed += bytes.count
    }
  }
}
