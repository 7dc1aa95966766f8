import HTTP
import Net
import OriginScripts
import Testing

@testable import Client

@Suite struct HTTPClientFailureTests {
  @Test("Redirects that lead in circles, to other schemes or to inner addresses are not followed")
  func badRedirects() async throws {
    let inner = try ScriptedOrigin { $0.answer(200, [1]) }
    let origin = try ScriptedOrigin { request in
      let location =
        switch request.target {
        case "/loop": "/loop2"
        case "/loop2": "/loop#again"
        case "/file": "file:///etc/passwd"
        case "/inner": inner.base + "/secret"
        case "/metadata": "http://169.254.169.254/latest"
        case "/name": "http://localhost:\(inner.port)/secret"
        case "/hidden": "http://2130706433/"
        case "/two": "/a\r\nLocation: /b"
        default: "//"
        }
      request.answer(302, fields: ["Location: \(location)"], [])
    }
    let base = origin.base
    func failure(at path: String) async -> FetchError? { await ClientTests.failure { try await fetch(base + path) } }
    #expect(await failure(at: "/loop") == .redirectLoop(try OriginURL(Array("\(base)/loop".utf8))))
    #expect(await failure(at: "/file") == .redirectURL(.scheme("file")))
    #expect(await failure(at: "/hidden") == .redirectURL(.host("2130706433")))
    #expect(await failure(at: "/two") == .head(.field))
    #expect(await failure(at: "/empty") == .redirectURL(.host("")))
    for path in ["/inner", "/metadata", "/name"] {
      guard case .addressRefused = await failure(at: path) else {
        Issue.record("\(path) was followed")
        continue
      }
    }
    #expect(inner.connections == 0)
  }

  @Test("An origin on an inner address is not spoken to unless the operator allowed it")
  func innerOrigin() async throws {
    let origin = try ScriptedOrigin { $0.answer(200, [1]) }
    let refused = try Origin(Array(origin.base.utf8))
    let error = await failure { try await fetch(origin.base, allowing: []) }
    #expect(error == .addressRefused(refused, IPAddress(v4: 127, 0, 0, 1), .loopback))
    #expect(error?.description.contains("--origin-allow \(origin.base)") == true)
    #expect(origin.connections == 0)
  }

  @Test("A port where nobody listens is unreachable, a name without an address unresolvable")
  func unreachable() async throws {
    let origin = try ScriptedOrigin { $0.answer(200, [1]) }
    origin.stop()
    let origin1 = try Origin(Array(origin.base.utf8))
    #expect(await failure { try await fetch(origin.base) } == .unreachable(origin1, reason: "connection refused"))
    let error = await failure { try await fetch("http://no-such-host.invalid/") }
    guard case .unresolvable("no-such-host.invalid", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "What is not HTTP, or ends before it is whole, is an error and never a short body",
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", FetchError.closedEarly(received: 3)),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .closedEarly(received: 3)),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n", .closedEarly(received: 3)),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .chunks("malformed")),
      ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", .head(.length)),
      ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", .head(.length)),
      ("HTTP/1.1 200 OK\r\nContent-Le", .closedEarly(received: 0)),
      ("<html>\r\n\r\n", .head(.statusLine)),
    ])
  func broken(_ answer: String, _ expected: FetchError) async throws {
    let origin = try ScriptedOrigin { request in
      request.send(answer)
      request.close()
    }
    #expect(await failure { try await fetch(origin.base) } == expected)
  }

  @Test("A connection closed without an answer is unreachable, one that is reset in mid-body ended early")
  func endings() async throws {
    let silent = try ScriptedOrigin { $0.close() }
    let origin = try Origin(Array(silent.base.utf8))
    #expect(await failure { try await fetch(silent.base) } == .unreachable(origin, reason: "closed without an answer"))
    #expect(silent.targets.count == 1)
    let resetting = try ScriptedOrigin { request in
      request.send("HTTP/1.1 200 OK\r\n\r\nabc")
      request.sleep(milliseconds: 50)
      request.reset()
    }
    #expect(await failure { try await fetch(resetting.base) } == .closedEarly(received: 3))
  }

  @Test("A body may be as large as the limit and not a byte larger, stated or not")
  func size() async throws {
    let body = [UInt8](repeating: 7, count: 100_000)
    let origin = try ScriptedOrigin { request in
      if request.target == "/stated" { return request.answer(200, body) }
      request.send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n".utf8) + body)
      request.send("\r\n0\r\n\r\n")
    }
    for path in ["/stated", "/chunked"] {
      #expect(try await fetch(origin.base + path, limits: { $0.bodyBytes = 100_000 }).body == body)
      let error = await failure { try await fetch(origin.base + path, limits: { $0.bodyBytes = 99_999 }) }
      #expect(error == .tooLarge(limit: 99_999))
    }
  }

  @Test("Silence has an end at every step, and so does a trickle")
  func slowness() async throws {
    let origin = try ScriptedOrigin { request in
      switch request.target {
      case "/silent": break
      case "/head": for byte in "HTTP/1.1 200 OK".utf8 where request.send([byte]) { request.sleep(milliseconds: 40) }
      case "/body":
        request.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while request.send([1]) { request.sleep(milliseconds: 20) }
      default:
        request.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n")
        while request.send([UInt8](repeating: 1, count: 10_000)) { request.sleep(milliseconds: 20) }
      }
      request.waitForClose()
    }
    func failure(at path: String, _ limits: @escaping @Sendable (inout FetchLimits) -> Void) async -> FetchError? {
      await ClientTests.failure { try await fetch(origin.base + path, limits: limits) }
    }
    #expect(await failure(at: "/silent") { $0.firstByteMilliseconds = 200 } == .timedOut(.firstByte))
    #expect(await failure(at: "/head") { $0.rateMilliseconds = 300 } == .tooSlow)
    #expect(await failure(at: "/body") { $0.rateMilliseconds = 300 } == .tooSlow)
    #expect(await failure(at: "/steady") { $0.totalMilliseconds = 1_000 } == .timedOut(.whole))
  }

  @Test("A host that does not take the connection times out while connecting")
  func connectTimeout() async throws {
    let silent = try SilentPort()
    let url = "http://127.0.0.1:\(silent.port)/"
    let error = await failure { try await fetch(url, limits: { $0.connectMilliseconds = 150 }) }
    #expect(error == .timedOut(.connecting))
  }
}
