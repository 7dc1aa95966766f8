import HTTP
import Net
import OriginScripts
import Testing

@testable import Images

@Suite struct PictureStoreTests {
  private let key = DerivedKey(source: Digest.of([1]), size: .medium, format: .jpeg)

  private func open(_ folder: TemporaryFolder) throws -> PictureStore {
    try PictureStore(path: "\(folder.path)/cache", threads: BlockingThreads(limit: 2)) { _ in }
  }

  @Test("A derived picture is found again, in this run and in the next", arguments: [5_000, 1_500_000])
  func derived(_ count: Int) async throws {
    let folder = try TemporaryFolder()
    let bytes = jpeg(count)
    do {
      let store = try open(folder)
      #expect(await store.find(key)?.digest == nil)
      #expect(await store.store(bytes, as: key) == Digest.of(bytes))
      #expect(await store.find(key)?.body.all == bytes)
    }
    let found = await (try open(folder)).find(key)
    #expect(found?.digest == Digest.of(bytes))
    #expect(await found?.body.all == bytes)
  }

  @Test("A derived picture whose body is damaged is as good as none")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder)
    let digest = await store.store(jpeg(5_000), as: key)
    try folder.write("cache/objects/\(digest.hex.prefix(2))/\(digest.hex)", [1])
    #expect(await store.find(key)?.digest == nil)
    await store.store(jpeg(5_000), as: key)
    #expect(await store.find(key)?.body.all == jpeg(5_000))
  }
}

@Suite struct HotBodiesTests {
  private let marks = VisitMarks()

  private func body(_ count: Int) -> HotBodies.Body {
    HotBodies.Body(record: nil, digest: Digest.of([1]), bytes: jpeg(count), visit: BodyVisit(1, in: marks))
  }

  private let key = HotBodies.Key.source(SourceKey(number: 1))

  @Test("A body is found in memory until what is known of it changes, and its visits are noted for the disk")
  func forgetting() {
    let hot = HotBodies(capacity: 1 << 20)
    hot.keep(body(1_000), as: key, hot.ticket(for: key))
    #expect(hot.body(of: key)?.bytes == jpeg(1_000))
    #expect(marks.clear(1))
    hot.forget(key)
    #expect(hot.body(of: key)?.bytes == nil)
  }

  @Test("What was read from the disk before a change is not kept after it")
  func outdated() {
    let hot = HotBodies(capacity: 1 << 20)
    let ticket = hot.ticket(for: key)
    hot.forget(key)
    hot.keep(body(1_000), as: key, ticket)
    #expect(hot.body(of: key)?.bytes == nil)
  }

  @Test("Memory is bounded")
  func bounded() {
    let hot = HotBodies(capacity: 1 << 20)
    hot.keep(body(200_000), as: key, hot.ticket(for: key))
    #expect(hot.body(of: key)?.bytes == nil)
    for number in 0..<100 {
      let key = HotBodies.Key.source(SourceKey(number: number))
      hot.keep(body(50_000), as: key, hot.ticket(for: key))
    }
    let kept = (0..<100).filter { hot.body(of: .source(SourceKey(number: $0))) != nil }
    #expect(kept.count <= 20 && kept.count >= 8)
  }
}
