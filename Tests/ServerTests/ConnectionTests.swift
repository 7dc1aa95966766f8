import HTTP
import Net
import Server
import Synchronization
import Testing

private let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

@Suite("A connection")
struct ConnectionTests {
  @Test("carries one request after another, and pipelined ones in order")
  func pipelining() async throws {
    try await withServer { port, _ in
      let wire = try Wire(port)
      wire.send(hello)
      #expect(wire.read(until: "hello, world").hasPrefix("HTTP/1.1 200 OK\r\n"))
      let none = "GET /none HTTP/1.1\r\nHost: a\r\n\r\n"
      wire.send(
        String(repeating: hello, count: 100) + none + "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answers = try #require(wire.readToEnd())
      #expect(answers.occurrences(of: "HTTP/1.1 200 OK") == 101)
      #expect(answers.occurrences(of: "HTTP/1.1 404") == 1)
      #expect(answers.occurrences(of: "Connection: close") == 1)
      #expect(answers.hasSuffix("hello, world"))
    }
  }

  @Test("answers a client that has closed its own side")
  func halfClosed() async throws {
    try await withServer { port, _ in
      let wire = try Wire(port)
      wire.send(hello)
      wire.finishWriting()
      #expect(wire.readToEnd()?.hasSuffix("hello, world") == true)
    }
  }

  @Test("of HTTP/1.0 closes after the answer unless asked to stay")
  func http10() async throws {
    try await withServer { port, _ in
      let closing = try Wire(port)
      closing.send("GET /hello HTTP/1.0\r\n\r\n")
      #expect(closing.readToEnd()?.contains("Connection: close\r\n") == true)
      let staying = try Wire(port)
      staying.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(staying.read(until: "hello, world").contains("Connection: keep-alive\r\n"))
      staying.send("GET /hello HTTP/1.0\r\n\r\n")
      #expect(staying.readToEnd()?.hasSuffix("hello, world") == true)
    }
  }

  @Test("gives HEAD the head of GET, a condition its 304, and a range its part")
  func forms() async throws {
    try await withServer { port, _ in
      let wire = try Wire(port)
      wire.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(wire.read(until: "\r\n\r\n").contains("Content-Length: 12\r\n"))
      wire.send("GET /hello HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"tag\"\r\n\r\n")
      #expect(wire.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
      wire.send("GET /hello HTTP/1.1\r\nHost: a\r\nRange: bytes=7-\r\n\r\n")
      #expect(wire.read(until: "\r\n\r\nworld").contains("Content-Range: bytes 7-11/12\r\n"))
      wire.send("GET /hello HTTP/1.1\r\nHost: a\r\nRange: bytes=12-\r\n\r\n")
      #expect(wire.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 416 "))
      wire.send("GET /hello HTTP/1.1\r\nHost: a\r\nIf-Match: \"other\"\r\n\r\n")
      #expect(wire.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 412 "))
    }
  }

  @Test("repeats an answer without asking the application, until the application moves on")
  func repeating() async throws {
    let asked = Counter()
    var echo = Echo()
    echo.beforeAnswer = { asked.add() }
    try await withServer(echo) { port, _ in
      let wire = try Wire(port)
      for _ in 0..<3 {
        wire.send(hello)
        _ = wire.read(until: "hello, world")
      }
      #expect(asked.value == 1)
      wire.send("GET /hello HTTP/1.1\r\nHost: b\r\n\r\n")
      _ = wire.read(until: "hello, world")
      #expect(asked.value == 2)
      echo.generation.advance()
      wire.send(hello)
      _ = wire.read(until: "hello, world")
      #expect(asked.value == 3)
    }
  }

  @Test("takes bodies of both framings, and leaves the next request whole")
  func bodies() async throws {
    try await withServer { port, _ in
      let wire = try Wire(port)
      wire.send("POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nfour" + hello)
      #expect(wire.read(until: "hello, world").contains("\r\n\r\nfourHTTP/1.1 200 OK"))
      wire.send("POST /hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n" + hello)
      #expect(wire.read(until: "hello, world").contains("\r\n\r\nabHTTP/1.1 200 OK"))
      wire.send("POST /hello HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      #expect(wire.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      wire.send("ok")
      #expect(wire.read(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  @Test(
    "ends with the answer to a request that breaks the rules",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
      ("GET /\(String(repeating: "a", count: 9000))", 414),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 17_000))", 431),
      ("POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
      ("POST /hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
      ("GET https://a/hello HTTP/1.1\r\nHost: a\r\n\r\n", 421),
    ])
  func refusals(_ request: String, _ status: Int) async throws {
    try await withServer { port, _ in
      let wire = try Wire(port)
      wire.send(request)
      let answer = wire.read(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      #expect(answer.contains("Connection: close\r\n"))
      wire.finishWriting()
      #expect(wire.readToEnd() == "")
    }
  }

  @Test("that sends half a head, half a body, or nothing, is ended in time")
  func deadlines() async throws {
    var limits = ServerLimits()
    limits.headTime = 200
    limits.bodyStall = 200
    try await withServer(limits: limits) { port, _ in
      let half = try Wire(port)
      half.send("GET /hello HT")
      #expect(half.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 408 "))
      let body = try Wire(port)
      body.send("POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nfo")
      #expect(body.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 408 "))
    }
    limits.idleTime = 200
    try await withServer(limits: limits) { port, _ in
      #expect(try Wire(port).readToEnd() == "")
      let idle = try Wire(port)
      idle.send(hello)
      #expect(idle.readToEnd()?.hasSuffix("hello, world") == true)
    }
  }

  @Test("is ended when its client sends requests and never reads the answers")
  func slowReader() async throws {
    var limits = ServerLimits()
    limits.sendStall = 200
    var echo = Echo()
    echo.isReusable = false
    try await withServer(echo, limits: limits) { port, _ in
      let wire = try Wire(port)
      let large = String(repeating: "x", count: 60_000)
      let request = "POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: \(large.utf8.count)\r\n\r\n\(large)"
      // Answers as large as the requests: the buffers between fill up, then the server stops reading, then it ends it.
      var isEnded = false
      for _ in 0..<2_000 where !isEnded { isEnded = !wire.send(request) }
      #expect(isEnded)
    }
  }
}

@Suite("Stopping")
struct StoppingTests {
  @Test("finishes what is under way, ends what is idle, and refuses what is new")
  func drain() async throws {
    let entered = Counter()
    let gate = Gate()
    var echo = Echo()
    echo.beforeAnswer = {
      entered.add()
      await gate.wait()
    }
    try await withServer(echo) { port, server in
      let idle = try Wire(port)
      let busy = try Wire(port)
      busy.send(hello)
      while entered.value == 0 { await Task.yield() }
      async let stopped: Void = server.stop(grace: 60_000)
      #expect(idle.readToEnd() == "")
      gate.open()
      let answer = try #require(busy.readToEnd())
      #expect(answer.contains("Connection: close\r\n"))
      #expect(answer.hasSuffix("hello, world"))
      await stopped
      #expect(throws: Wire.Refused.self) { _ = try Wire(port) }
    }
  }
}

/// Counts over threads.
final class Counter: Sendable {
  private let count = Atomic(0)
  func add() { count.wrappingAdd(1, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
}

/// Holds tasks until it is opened.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
