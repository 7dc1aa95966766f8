import CLinux
import Glibc
import HTTP
import Net
import Server
import Testing

@Suite("Limits of connections")
struct LimitTests {
  private let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Connected, answered once, and waiting.
  private func idle(_ port: UInt16) throws -> Wire {
    let wire = try Wire(port)
    wire.send(hello)
    #expect(wire.read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
    return wire
  }

  @Test("The one that has been idle the longest makes room for a new one")
  func longestIdle() async throws {
    var limits = ServerLimits()
    limits.connections = 3
    try await withServer(limits: limits) { port, _ in
      let wires = [try idle(port), try idle(port), try idle(port)]
      // The loop's clock is a few milliseconds coarse.
      wires[0].send(hello)
      #expect(wires[0].read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
      let more = try idle(port)
      var ended = 0
      for wire in wires where wire.hasEnded() { ended += 1 }
      #expect(ended == 1)
      more.send(hello)
      #expect(more.read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("When none is idle, a new one is told so, and has room again once one has gone")
  func noneIdle() async throws {
    var limits = ServerLimits()
    limits.connections = 2
    try await withServer(limits: limits) { port, _ in
      var busy: [Wire] = []
      for _ in 0..<2 {
        let wire = try idle(port)
        wire.send("GET /hello HTTP/1.1\r\nHo")
        busy.append(wire)
      }
      let refused = await answer(port, until: "HTTP/1.1 503 ")
      #expect(refused.hasPrefix("HTTP/1.1 503 "))
      #expect(refused.contains("Connection: close\r\n"))
      busy.removeAll()
      #expect(await answer(port, until: "HTTP/1.1 200 ").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("One address has only so many, unless it is this machine's own")
  func perAddress() async throws {
    var limits = ServerLimits()
    limits.connectionsPerAddress = 2
    try await withServer(limits: limits) { port, _ in
      let wires = [try idle(port), try idle(port), try idle(port)]
      for wire in wires {
        wire.send(hello)
        #expect(wire.read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
      }
    }
    limits.exemptsLoopback = false
    try await withServer(limits: limits) { port, _ in
      let wires = [try idle(port), try idle(port), try idle(port)]
      #expect(wires[..<2].filter { $0.hasEnded() }.count == 1)
      wires[2].send(hello)
      #expect(wires[2].read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("After its life a connection gets one more answer")
  func life() async throws {
    var limits = ServerLimits()
    limits.life = 300
    try await withServer(limits: limits) { port, _ in
      let busy = try Wire(port)
      var answers = ""
      while !answers.contains("Connection: close\r\n"), busy.send(hello) {
        let answer = busy.read(until: "hello, world")
        guard !answer.isEmpty else { break }
        answers = answer
      }
      #expect(answers.contains("Connection: close\r\n"))
      #expect(busy.readToEnd() == "")
    }
  }

  /// The answer on a connection of its own: the last try's, when none begins as wished for.
  private func answer(_ port: UInt16, until beginning: String) async -> String {
    var answer = ""
    for _ in 0..<200 {
      guard let wire = try? Wire(port) else { continue }
      wire.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      answer = wire.readToEnd() ?? ""
      if answer.hasPrefix(beginning) { break }
      try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return answer
  }
}
