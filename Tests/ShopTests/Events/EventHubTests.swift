import Net
import OriginScripts
import Testing

@testable import Shop

@Suite("The hub of events")
struct EventHubTests {
  @Test("greets whoever comes with how things are")
  func greeting() async throws {
    try await onLoop { loop in
      let hub = EventHub(on: loop)
      hub.publish(.catalog) { LiveEvent(.catalog, id: "7", json: Array("{}".utf8)) }
      let stream = try hub.listen(after: nil)
      #expect(await stream.text == "retry: 3000\n\nevent: catalog\nid: 7\ndata: {}\n\n")
    }
  }

  @Test("leaves out what a listener says it has heard, and nothing else")
  func lastEventID() async throws {
    try await onLoop { loop in
      let hub = EventHub(on: loop)
      hub.publish(.catalog) { LiveEvent(.catalog, id: "7", json: Array("{}".utf8)) }
      hub.publish(.pictures) { LiveEvent(.pictures, json: Array("1".utf8)) }
      let (upToDate, behind) = (try hub.listen(after: Array("7".utf8)), try hub.listen(after: Array("6".utf8)))
      #expect(await upToDate.text == "retry: 3000\n\nevent: pictures\ndata: 1\n\n")
      #expect(await behind.text?.contains("id: 7\n") == true)
    }
  }

  @Test("keeps for a slow listener the newest of each kind, however many there were")
  func coalescing() async throws {
    try await onLoop { loop in
      let hub = EventHub(on: loop)
      let stream = try hub.listen(after: nil)
      _ = await stream.next()
      for number in 1...10_000 {
        hub.publish(.pictures) { LiveEvent(.pictures, json: Array("\(number)".utf8)) }
        hub.publish(.catalog) { LiveEvent(.catalog, id: "\(number)", json: Array("{}".utf8)) }
      }
      #expect(await stream.text == "event: catalog\nid: 10000\ndata: {}\n\nevent: pictures\ndata: 10000\n\n")
    }
  }

  @Test("wakes everybody who waits")
  func waking() async throws {
    try await onLoop { loop in
      let hub = EventHub(on: loop)
      let streams = try (0..<5).map { _ in try hub.listen(after: nil) }
      for stream in streams { _ = await stream.next() }
      let waiting = streams.map { stream in Task(executorPreference: loop) { await stream.text } }
      await loop.sleep(milliseconds: 1)
      hub.publish(.pictures) { LiveEvent(.pictures, json: Array("1".utf8)) }
      for task in waiting { #expect(await task.value == "event: pictures\ndata: 1\n\n") }
    }
  }

  @Test("gives a sign of life when nothing happens")
  func heartbeat() async throws {
    try await onLoop { loop in
      let hub = EventHub(on: loop, heartbeat: 10)
      let stream = try hub.listen(after: nil)
      _ = await stream.next()
      #expect(await stream.text == ":\n\n")
      #expect(await stream.text == ":\n\n")
    }
  }

  @Test("takes so many and no more; a place is free again when its listener is let go")
  func limit() async throws {
    try await onLoop { loop in
      let hub = EventHub(on: loop, limit: 2)
      var streams = [try hub.listen(after: nil), try hub.listen(after: nil)]
      #expect(throws: EventHub.Refusal.full) { try hub.listen(after: nil) }
      streams.removeLast()
      #expect(hub.listenerCount == 1)
      streams.append(try hub.listen(after: nil))
    }
  }

  @Test("ends every stream after what it still has to say, and takes nobody then")
  func end() async throws {
    try await onLoop { loop in
      let hub = EventHub(on: loop)
      let (waiting, behind) = (try hub.listen(after: nil), try hub.listen(after: nil))
      _ = await waiting.next()
      _ = await behind.next()
      hub.publish(.pictures) { LiveEvent(.pictures, json: Array("1".utf8)) }
      _ = await waiting.next()
      let last = Task(executorPreference: loop) { await waiting.next() }
      await loop.sleep(milliseconds: 1)
      hub.end()
      #expect(await last.value == nil)
      #expect(await behind.text == "event: pictures\ndata: 1\n\n")
      #expect(await behind.next() == nil)
      #expect(throws: EventHub.Refusal.ended) { try hub.listen(after: nil) }
    }
  }
}

extension EventStream {
  /// The next piece as text.
  fileprivate var text: String? {
    get async { await next().map { String(decoding: $0, as: UTF8.self) } }
  }
}
