import CLinux
import Glibc
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

/// Whether reading without waiting is to be had here.
private let canAskNotToWait: Bool = {
  guard let folder = try? TemporaryFolder(), (try? folder.write("a", [1])) != nil,
    let descriptor = try? FileCalls.open("\(folder.path)/a", O_RDONLY)
  else { return false }
  defer { clinux_close(descriptor) }
  guard let stamp = FileCalls.stamp(descriptor) else { return false }
  return FileCalls.readAtHand("\(folder.path)/a", count: 1, stamp) == [1]
}()

/// Bodies that our memory has no room for, and the system's has.
@Suite(.enabled(if: canAskNotToWait, "this kernel or file system cannot be asked not to wait"))
struct AtHandTests {
  private let threads = BlockingThreads(limit: 1)
  private let key = SourceKey(number: 1)
  private let bytes = jpeg(50_000)

  /// A store with a body that was found on the disk, long enough after it was written.
  private func withKnownBody(_ body: (PictureStore, HotBodies.Known, TemporaryFolder) async throws -> Void) async throws
  {
    let folder = try TemporaryFolder()
    // An eighth of it bounds a body, so this one finds no room.
    let store = try PictureStore(path: "\(folder.path)/cache", memory: 8 * 20_000, threads: threads) { _ in }
    #expect(await store.put(1, bytes))
    for _ in 0..<2_000 {
      _ = await store.find(key)
      if let known = store.hot.known(.source(key)), known.place.stamp != nil {
        return try await body(store, known, folder)
      }
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    Issue.record("the body never became known")
  }

  @Test("are read without a thread, and their visits are noted")
  func noThread() async throws {
    try await withKnownBody { store, known, _ in
      _ = known.place.visit.takeMark()
      let door = Counter()
      // The one thread has other things to do.
      threads.submit { for _ in 0..<10_000 where door.value == 0 { usleep(1_000) } }
      let isFree = Counter()
      threads.submit { isFree.next() }
      let found = await store.find(key)
      #expect(isFree.value == 0)
      door.next()
      #expect(await found?.body.all == bytes)
      #expect(found?.record.key == key)
      #expect(known.place.visit.takeMark())
    }
  }

  @Test("are looked at again when somebody has touched the file, replaced it or removed it")
  func touched() async throws {
    try await withKnownBody { store, known, folder in
      let name = "cache/objects/\(known.place.body.digest.hex.prefix(2))/\(known.place.body.digest.hex)"
      let disk = try store.diskForStoring()
      #expect(disk.bytesAtHand(known.place) == bytes)
      let file = Glibc.open("\(folder.path)/\(name)", O_WRONLY | O_CLOEXEC)
      #expect(pwrite(file, [0], 1, 1_000) == 1)
      close(file)
      #expect(disk.bytesAtHand(known.place) == nil)
      #expect(await store.find(key) == nil)
      try folder.write(name, bytes)
      #expect(disk.bytesAtHand(known.place) == nil)
      unlink("\(folder.path)/\(name)")
      #expect(disk.bytesAtHand(known.place) == nil)
    }
  }

  @Test("are asked for anew once something else is known of them")
  func forgotten() async throws {
    try await withKnownBody { store, known, _ in
      var record = try #require(known.record)
      record.checkedAt += 1
      await store.note(record)
      #expect(store.hot.known(.source(key)) == nil)
      #expect(await store.find(key)?.record.checkedAt == record.checkedAt)
    }
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
