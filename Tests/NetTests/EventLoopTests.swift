import Glibc
import Net
import OriginScripts
import Synchronization
import Testing

@Suite("An event loop")
struct EventLoopTests {
  @Test("runs a task, its children and what comes after a sleep on its own thread")
  func staysOnLoop() async throws {
    try await onLoop { loop in
      #expect(loop.isCurrent)
      await loop.sleep(milliseconds: 1)
      #expect(loop.isCurrent)
      async let child = loop.isCurrent
      #expect(await child)
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 { group.addTask { loop.isCurrent } }
        for await isCurrent in group { #expect(isCurrent) }
      }
      #expect(await BlockingThreads(limit: 1).run { loop.isCurrent } == false)
      #expect(loop.isCurrent)
    }
  }

  @Test("wakes a sleeper that is cancelled")
  func cancelledSleep() async throws {
    try await onLoop { loop in
      let sleeper = Task(executorPreference: loop) { await loop.sleep(milliseconds: 3_600_000) }
      await Task.yield()
      sleeper.cancel()
      await sleeper.value
    }
  }

  @Test("serves its timers while tasks keep yielding")
  func fairness() async throws {
    try await onLoop { loop in
      let timer = Task(executorPreference: loop) { await loop.sleep(milliseconds: 20) }
      let busy = Task(executorPreference: loop) { while !Task.isCancelled { await Task.yield() } }
      await timer.value
      busy.cancel()
      await busy.value
    }
  }
}

@Suite("A byte stream")
struct ByteStreamTests {
  @Test("carries bytes both ways, and the end of them")
  func bothWays() async throws {
    try await onLoop { loop in
      let listener = try ListeningSocket.listen(on: SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: 0))[0]
      try listener.attach(to: loop)
      async let accepted = accept(listener)
      let client = try await ByteStream.connect(to: listener.address, on: loop, deadline: loop.deadline(in: 10_000))
      let server = try await accepted
      let large = [UInt8](repeating: 7, count: 4 << 20)
      async let written: Void = client.write(head: [1, 2, 3], body: large)
      var received: [UInt8] = []
      while received.count < large.count + 3 { received += try await server.read(upTo: 1 << 16) }
      try await written
      #expect(received == [1, 2, 3] + large)
      client.finishWriting()
      #expect(try await server.read(upTo: 10).isEmpty)
      client.close()
      server.close()
      listener.close()
    }
  }

  @Test("gives up at its deadline")
  func deadline() async throws {
    try await onLoop { loop in
      let listener = try ListeningSocket.listen(on: SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: 0))[0]
      let client = try await ByteStream.connect(to: listener.address, on: loop, deadline: .never)
      client.deadline = loop.deadline(in: 10)
      await #expect(throws: NetError.timedOut) { _ = try await client.read(upTo: 1) }
      client.close()
    }
  }

  @Test("to a port where nobody listens is refused")
  func refused() async throws {
    try await onLoop { loop in
      let address = try ListeningSocket.listen(on: SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: 0))[0].address
      await #expect(throws: NetError.refused) {
        _ = try await ByteStream.connect(to: address, on: loop, deadline: loop.deadline(in: 10_000))
      }
    }
  }

  @Test("closes its descriptor once, listening or connected, so that it never closes another's")
  func closesOnce() async throws {
    try await onLoop { loop in
      let listener = try ListeningSocket.listen(on: SocketAddress(.loopback, port: 0))[0]
      try listener.attach(to: loop)
      let client = try await ByteStream.connect(to: listener.address, on: loop, deadline: .never)
      let closed = closeAndReopen(listener, client)
      // What the kernel gave those numbers to next must still be open once the objects are gone.
      for descriptor in closed { #expect(fcntl(descriptor, F_GETFD) >= 0) }
      for descriptor in closed { close(descriptor) }
    }
  }

  /// Closes both, takes the numbers that became free, and lets go of the objects.
  private func closeAndReopen(_ listener: ListeningSocket, _ client: ByteStream) -> [Int32] {
    listener.close()
    client.close()
    listener.close()
    client.close()
    return (0..<64).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
  }

  @Test("cannot listen where another server does, though loops of one server share a port")
  func addressInUse() throws {
    let sockets = try ListeningSocket.listen(on: SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: 0), count: 3)
    #expect(Set(sockets.map(\.address)).count == 1)
    #expect(throws: NetError.addressInUse) { _ = try ListeningSocket.listen(on: sockets[0].address, count: 2) }
  }

  private func accept(_ listener: ListeningSocket) async throws -> ByteStream {
    while true {
      try await listener.acceptable()
      if let stream = try listener.tryAccept() { return stream }
    }
  }
}

@Suite("An address")
struct IPAddressTests {
  @Test("is written as it is read", arguments: ["127.0.0.1", "0.0.0.0", "::1", "fe80::1", "2001:db8::ff00:42:8329"])
  func roundTrip(_ text: String) throws {
    #expect(try #require(IPAddress(text)).description == text)
  }

  @Test(
    "that is not one is none", arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "[::1]", "fe80::1%lo", "a"])
  func malformed(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test("inside IPv6 is the IPv4 address it stands for")
  func mapped() {
    #expect(IPAddress("::ffff:10.0.0.1")?.unmapped == IPAddress(v4: 10, 0, 0, 1))
    #expect(IPAddress("::ffff:127.0.0.1")?.isLoopback == false)
    #expect(IPAddress("127.9.9.9")?.isLoopback == true)
  }
}
