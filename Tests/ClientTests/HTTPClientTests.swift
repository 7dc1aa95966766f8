import HTTP
import Net
import OriginScripts
import Testing

@testable import Client

@Suite struct HTTPClientTests {
  @Test(
    "A body is read however its end is told",
    arguments: [
      "Content-Length: 11\r\n\r\nhello world",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX: y\r\n\r\n",
      "Connection: close\r\n\r\nhello world",
    ])
  func bodies(_ rest: String) async throws {
    let origin = try ScriptedOrigin { request in
      request.send("HTTP/1.1 200 OK\r\n" + rest)
      if rest.contains("close") { request.close() }
    }
    let answer = try await fetch(origin.base + "/a")
    #expect(answer.status == 200)
    #expect(answer.body == Array("hello world".utf8))
  }

  @Test("The request says what we are and what we take, and nothing of any client")
  func request() async throws {
    let origin = try ScriptedOrigin { $0.answer(200, [1]) }
    _ = try await fetch("http://LOCALHOST:\(origin.port)/갈비 1.jpg?a=+#x")
    #expect(
      origin.heads == [
        "GET /%EA%B0%88%EB%B9%84%201.jpg?a=+ HTTP/1.1\r\nHost: localhost:\(origin.port)\r\nUser-Agent: banchan/0.1\r\n"
          + "Accept: image/*\r\nAccept-Encoding: identity\r\n\r\n"
      ])
  }

  @Test("Statuses other than redirects are handed on, with their fields", arguments: [204, 304, 404, 410, 500, 503])
  func statuses(_ status: Int) async throws {
    let origin = try ScriptedOrigin { request in
      request.send("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nRetry-After: 7\r\n\r\n")
    }
    let base = origin.base
    try await onLoop { loop in
      let response = try await makeClient(allowing: [base]).get(try OriginURL(Array(base.utf8)), on: loop)
      #expect(response.head.status == status)
      #expect(response.head[.retryAfter] == [UInt8(ascii: "7")])
      #expect(try await response.next() == nil)
      #expect(try await response.next() == nil)
    }
  }

  @Test("A connection is used again, also after a redirect and a 404")
  func reuse() async throws {
    let origin = try ScriptedOrigin { request in
      switch request.target {
      case "/moved": request.answer(302, fields: ["Location: /gone"], Array("see there".utf8))
      case "/gone": request.answer(404, Array("no".utf8))
      default: request.answer(200, [1, 2, 3])
      }
    }
    let base = origin.base
    try await onLoop { loop in
      let client = try makeClient(allowing: [base])
      for _ in 0..<3 { #expect(try await read(client, base + "/moved", on: loop).status == 404) }
      #expect(try await read(client, base + "/a", on: loop).body == [1, 2, 3])
    }
    #expect(origin.connections == 1)
    #expect(origin.targets.count == 7)
  }

  @Test("A connection that the origin closed meanwhile costs nothing: the request goes out on a new one")
  func staleConnections() async throws {
    let origin = try ScriptedOrigin { request in
      request.answer(200, [7])
      // Keep-alive is what the answer promised.
      request.close()
    }
    let base = origin.base
    try await onLoop { loop in
      let client = try makeClient(allowing: [base])
      for _ in 0..<5 { #expect(try await read(client, base, on: loop).body == [7]) }
    }
    // One more for each request that was sent before the closing was seen.
    #expect(origin.targets.count >= 5)
  }

  @Test("A connection that is closed just as it is used again is replaced as well")
  func closedOnReuse() async throws {
    let count = Counter()
    let origin = try ScriptedOrigin { request in
      if count.next() == 2 { request.reset() } else { request.answer(200, [7]) }
    }
    let base = origin.base
    try await onLoop { loop in
      let client = try makeClient(allowing: [base])
      for _ in 0..<2 { #expect(try await read(client, base, on: loop).body == [7]) }
    }
    #expect(origin.targets.count == 3)
    #expect(origin.connections == 2)
  }

  @Test("Bytes behind a stated length are a wrong length, and what follows it is nobody's answer")
  func unaskedBytes() async throws {
    let origin = try ScriptedOrigin { request in
      request.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb")
    }
    #expect(await failure { try await fetch(origin.base) } == .surplus(stated: 1))
    #expect(origin.connections == 1)
  }

  @Test("Redirects are followed, three of them")
  func redirects() async throws {
    let origin = try ScriptedOrigin { request in
      let steps = request.target.utf8.count - 1
      if steps == 0 { return request.answer(200, [9]) }
      let status = [301, 302, 303, 307, 308][steps % 5]
      request.answer(status, fields: ["Location: /\(String(repeating: "x", count: steps - 1))"], [])
    }
    let answer = try await fetch(origin.base + "/xxx")
    #expect(answer.body == [9])
    #expect(answer.url == origin.base + "/")
    #expect(await failure { try await fetch(origin.base + "/xxxx") } == .tooManyRedirects(limit: 3))
  }

  @Test("A redirect without a Location is an answer like any other")
  func noLocation() async throws {
    let origin = try ScriptedOrigin { $0.answer(302, []) }
    #expect(try await fetch(origin.base).status == 302)
  }

  @Test("Many fetches at once on one loop each get their own answer")
  func atOnce() async throws {
    let origin = try ScriptedOrigin { $0.answer(200, Array($0.target.utf8)) }
    let base = origin.base
    try await onLoop { loop in
      let client = try makeClient(allowing: [base])
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<100 {
          group.addTask { try await read(client, base + "/\(number)", on: loop).body == Array("/\(number)".utf8) }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }
    #expect(origin.targets.count == 100)
  }

  @Test("An https origin is spoken to when its certificate is trusted and bears its name")
  func secure() async throws {
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    let down = Array("HTTP/1.1 302 OK\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n".utf8)
    let origin = try SecureOrigin(names: "DNS:localhost", answers: ["picture": answer, "down": down])
    let url = "https://localhost:\(origin.port)/picture"
    #expect(try await fetch(url, authority: origin.authority).body == Array("ok".utf8))
    // Self-signed, and not trusted.
    guard case .tls = await failure({ try await fetch(url) }) else {
      Issue.record("an untrusted certificate was believed")
      return
    }
    // Trusted, with another name.
    let byAddress = "https://127.0.0.1:\(origin.port)/picture"
    guard case .tls = await failure({ try await fetch(byAddress, authority: origin.authority) }) else {
      Issue.record("a certificate of another name was believed")
      return
    }
    let error = await failure {
      try await fetch("https://localhost:\(origin.port)/down", authority: origin.authority)
    }
    #expect(error == .redirectDowngrade(try OriginURL(Array("http://localhost:1/".utf8))))
  }
}
