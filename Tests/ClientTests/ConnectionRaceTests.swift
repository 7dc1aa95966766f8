import Net
import OriginScripts
import Synchronization
import Testing

@testable import Client

@Suite struct ConnectionRaceTests {
  private let loopback = IPAddress(v4: 127, 0, 0, 1)

  @Test("The families take turns, beginning with the one that the system prefers")
  func order() throws {
    func addresses(_ texts: [String]) throws -> [SocketAddress] {
      try texts.map { SocketAddress(try #require(IPAddress($0)), port: 80) }
    }
    let given = try addresses(["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1", "192.0.2.2"])
    let expected = try addresses(["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "2001:db8::3"])
    #expect(ConnectionRace.interleaved(given) == expected)
    let one = try addresses(["192.0.2.1"])
    #expect(ConnectionRace.interleaved(one) == one)
    #expect(ConnectionRace.interleaved([]).isEmpty)
  }

  /// A client whose names lead where a test says, and who may go there.
  private func client(
    _ base: String, stagger: Int64 = 1, _ lookUp: @escaping Resolver.LookUp
  ) throws -> HTTPClient {
    let origin = try OriginURL(Array(base.utf8)).origin
    var configuration = HTTPClient.Configuration(
      rules: AddressRules(allowing: [origin]), tls: try TLSClientContext(authorities: nil))
    configuration.limits.connectMilliseconds = 30_000
    configuration.limits.staggerMilliseconds = stagger
    configuration.resolver = Resolver(lookUp: lookUp)
    return HTTPClient(configuration)
  }

  @Test("An address that does not answer costs a head start: the next one is tried beside it, and wins")
  func dead() async throws {
    let silent = try SilentPort()
    let origin = try ScriptedOrigin { $0.answer(200, [7]) }
    let addresses = [SocketAddress(loopback, port: silent.port), SocketAddress(loopback, port: origin.port)]
    try await onLoop { loop in
      let client = try client("http://two.example") { _, _ in .success(addresses) }
      #expect(try await read(client, "http://two.example/", on: loop).body == [7])
    }
  }

  @Test("An address that refuses costs nothing: the next one is tried at once, however long the head start is")
  func refusing() async throws {
    let closed = try ScriptedOrigin { $0.answer(200, [1]) }
    closed.stop()
    let origin = try ScriptedOrigin { $0.answer(200, [7]) }
    let addresses = [closed.port, closed.port, origin.port].map { SocketAddress(loopback, port: $0) }
    try await onLoop { loop in
      let client = try client("http://three.example", stagger: 600_000) { _, _ in .success(addresses) }
      #expect(try await read(client, "http://three.example/", on: loop).body == [7])
    }
  }

  @Test("IPv6 that leads nowhere, and IPv4 that works")
  func families() async throws {
    let origin = try ScriptedOrigin { $0.answer(200, [7]) }
    // Nobody listens there; a machine without IPv6 says so at once, another refuses.
    let addresses = [SocketAddress(.loopbackV6, port: 1), SocketAddress(loopback, port: origin.port)]
    try await onLoop { loop in
      let client = try client("http://both.example") { _, _ in .success(addresses) }
      #expect(try await read(client, "http://both.example/", on: loop).body == [7])
    }
  }

  @Test("When all fail, the failure is told; when one takes too long, that is")
  func allFail() async throws {
    let closed = try ScriptedOrigin { $0.answer(200, [1]) }
    closed.stop()
    let silent = try SilentPort()
    let refusing = [closed.port, closed.port].map { SocketAddress(loopback, port: $0) }
    let mixed = [closed.port, silent.port].map { SocketAddress(loopback, port: $0) }
    try await onLoop { loop in
      let client = try client("http://x.example") { _, _ in .success(refusing) }
      let error = await failure { try await read(client, "http://x.example/", on: loop) }
      let origin = try Origin(Array("http://x.example".utf8))
      #expect(error == .unreachable(origin, reason: "connection refused"))
    }
    let error = await failure { () async throws in
      try await onLoop { loop in
        let origin = try OriginURL(Array("http://x.example".utf8)).origin
        var configuration = HTTPClient.Configuration(
          rules: AddressRules(allowing: [origin]), tls: try TLSClientContext(authorities: nil))
        configuration.limits.connectMilliseconds = 150
        configuration.limits.staggerMilliseconds = 1
        configuration.resolver = Resolver { _, _ in .success(mixed) }
        return try await read(HTTPClient(configuration), "http://x.example/", on: loop)
      }
    }
    #expect(error == .timedOut(.connecting))
  }

  @Test(
    "A name that leads inside is not followed, also when every look-up gives another answer",
    arguments: [
      ["127.0.0.1"], ["192.0.2.1", "127.0.0.1"], ["::ffff:127.0.0.1", "127.0.0.1"],
      ["64:ff9b::7f00:1", "::1", "10.0.0.1", "169.254.169.254"],
    ])
  func rebinding(_ answers: [String]) async throws {
    let inner = try ScriptedOrigin { $0.answer(200, [1]) }
    let outer = try ScriptedOrigin { request in
      request.answer(302, fields: ["Location: http://rebinding.example:\(inner.port)/secret"], [])
    }
    let asked = Counter()
    let (innerPort, outerPort) = (inner.port, outer.port)
    try await onLoop { loop in
      let client = try client("http://outer.example") { host, _ in
        guard host == "rebinding.example" else {
          return .success([SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: outerPort)])
        }
        let text = answers[(asked.next() - 1) % answers.count]
        guard let address = IPAddress(text) else { return .failure(.unresolvable(text)) }
        return .success([SocketAddress(address, port: innerPort)])
      }
      for _ in 0..<answers.count {
        guard case .addressRefused = await failure({ try await read(client, "http://outer.example/", on: loop) })
        else {
          Issue.record("the redirect was followed")
          return
        }
      }
    }
    // One look-up for each try: what was judged is what would have been connected to.
    #expect(asked.value == answers.count)
    #expect(inner.connections == 0)
  }

  @Test("Of a host's addresses only those that are public are tried")
  func mixed() async throws {
    let inner = try ScriptedOrigin { $0.answer(200, [1]) }
    let addresses = [SocketAddress(loopback, port: inner.port), SocketAddress(.loopbackV6, port: inner.port)]
    try await onLoop { loop in
      let client = try client("http://other.example") { _, _ in .success(addresses) }
      let error = await failure { try await read(client, "http://mixed.example/", on: loop) }
      let origin = try Origin(Array("http://mixed.example".utf8))
      #expect(error == .addressRefused(origin, IPAddress(v4: 127, 0, 0, 1), .loopback))
    }
    #expect(inner.connections == 0)
  }
}
