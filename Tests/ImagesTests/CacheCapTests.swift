import Client
import Glibc
import HTTP
import Net
import OriginScripts
import Testing

@testable import Images

/// The cap on what the cache may take, and who goes when it is reached.
@Suite struct CacheCapTests {
  /// What the index of a few bodies takes, with the room for its journal, and some to spare.
  private static let indexRoom = DiskBudget.journalRoom + 65_536
  private static let size = 50_000
  private static let diskSize = DiskBudget.diskBytes(size)

  private func open(_ folder: TemporaryFolder, bodies: Int, _ lines: Lines = Lines()) throws -> PictureStore {
    try PictureStore(
      path: "\(folder.path)/cache",
      limits: CacheDisk.Limits(bytes: Self.indexRoom + bodies * Self.diskSize, minimumFree: 0),
      threads: BlockingThreads(limit: 4), log: { lines.add($0) })
  }

  private func store(_ number: Int, size: Int = size, in store: PictureStore) async -> Bool {
    await store.put(number, jpeg(size, seed: UInt64(number)))
  }

  private func stored(_ numbers: Range<Int>, in store: PictureStore) async -> [Int] {
    var found: [Int] = []
    for number in numbers where await store.find(SourceKey(number: number)) != nil { found.append(number) }
    return found
  }

  @Test("When the cache is full, what nobody has asked for goes, oldest first")
  func full() async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, bodies: 4)
    for number in 0..<4 { #expect(await self.store(number, in: store)) }
    for number in [0, 2] { #expect(await store.find(SourceKey(number: number)) != nil) }
    for number in 4..<6 { #expect(await self.store(number, in: store)) }
    #expect(await stored(0..<6, in: store) == [0, 2, 4, 5])
    #expect(folder.files().filter { $0.hasPrefix("cache/objects/") }.count == 4)
  }

  @Test("Derived pictures go before originals, and originals that no product shows before those that one does")
  func ranks() async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, bodies: 4)
    await store.pin([SourceKey(number: 0), SourceKey(number: 9)])
    #expect(await self.store(0, in: store))
    let derived = DerivedKey(source: Digest.of([0]), size: .thumb, format: .jpeg)
    await store.store(jpeg(Self.size, seed: 100), as: derived)
    for number in 1..<3 { #expect(await self.store(number, in: store)) }
    for _ in 0..<3 { #expect(await store.find(derived) != nil) }
    #expect(await self.store(3, in: store))
    #expect(await store.find(derived)?.digest == nil)
    #expect(await stored(0..<4, in: store) == [0, 1, 2, 3])
    for number in 4..<10 { #expect(await self.store(number, in: store)) }
    let left = await stored(0..<10, in: store)
    #expect(left.contains(0) && left.contains(9) && left.count == 4)
  }

  @Test("A picture that products show no longer is one like the others; one that they show again is not")
  func pins() async throws {
    let folder = try TemporaryFolder()
    do {
      let store = try open(folder, bodies: 3)
      await store.pin([SourceKey(number: 0)])
      for number in 0..<4 { #expect(await self.store(number, in: store)) }
      #expect(await stored(0..<1, in: store) == [0])
    }
    // The next run is told of another catalog.
    let store = try open(folder, bodies: 3)
    await store.pin([SourceKey(number: 3)])
    for number in 4..<12 { #expect(await self.store(number, in: store)) }
    #expect(await stored(0..<4, in: store) == [3])
  }

  @Test(
    "When what products show needs more than there is, it takes turns and nothing else is stored; the log says so once")
  func crowded() async throws {
    let folder = try TemporaryFolder()
    let lines = Lines()
    let store = try open(folder, bodies: 3, lines)
    await store.pin((0..<6).map { SourceKey(number: $0) })
    for number in 0..<3 { #expect(await self.store(number, in: store)) }
    #expect(lines.all.isEmpty)
    #expect(await !self.store(10, in: store))
    #expect(await stored(0..<3, in: store) == [0, 1, 2])
    for number in 3..<6 { #expect(await self.store(number, in: store)) }
    #expect(await stored(0..<11, in: store).count == 3)
    #expect(store.trouble == nil)
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains("--cache-size") == true)
  }

  @Test("A picture larger than the cache is served, and drives nothing out")
  func giant() async throws {
    let store = try open(try TemporaryFolder(), bodies: 3)
    for number in 0..<3 { #expect(await self.store(number, in: store)) }
    #expect(await !self.store(3, size: 2_000_000, in: store))
    #expect(await stored(0..<4, in: store) == [0, 1, 2])
  }

  @Test("What replaces a picture takes its room; the old bytes, and what was made from them, are gone from the disk")
  func replaced() async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, bodies: 3)
    let derived = DerivedKey(source: Digest.of(jpeg(Self.size, seed: 0)), size: .thumb, format: .jpeg)
    #expect(await self.store(0, in: store))
    await store.store(jpeg(Self.size, seed: 100), as: derived)
    #expect(await store.put(0, jpeg(Self.size, seed: 50)))
    #expect(folder.files().filter { $0.hasPrefix("cache/objects/") }.count == 1)
    #expect(await store.find(SourceKey(number: 0))?.record.digest == Digest.of(jpeg(Self.size, seed: 50)))
    #expect(await store.find(derived)?.digest == nil)
  }

  @Test("A large picture that is being sent is not evicted under its reader, and its bytes count until it is sent")
  func open() async throws {
    let folder = try TemporaryFolder()
    let large = jpeg(1_500_000)
    let store = try PictureStore(
      path: "\(folder.path)/cache",
      limits: CacheDisk.Limits(bytes: Self.indexRoom + 2 * DiskBudget.diskBytes(large.count), minimumFree: 0),
      threads: BlockingThreads(limit: 4), log: { _ in })
    #expect(await store.put(0, large))
    do {
      let reader = try #require(await store.find(SourceKey(number: 0)))
      for number in 1..<5 { #expect(await self.store(number, size: 1_400_000, in: store)) }
      #expect(await reader.body.all == large)
      #expect(await stored(0..<5, in: store) == [0, 4])
    }
    // Nobody reads it any more, and nobody has asked for it since the hand passed.
    for number in 5..<9 { #expect(await self.store(number, size: 1_400_000, in: store)) }
    #expect(await stored(0..<1, in: store).isEmpty)
  }

  @Test("A cap that is lowered holds at once, and one that is raised has room")
  func changed() async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, bodies: 6)
    await store.pin((0..<4).map { SourceKey(number: $0) })
    for number in 0..<6 { #expect(await self.store(number, in: store)) }
    await store.limit(to: CacheDisk.Limits(bytes: Self.indexRoom + 4 * Self.diskSize, minimumFree: 0))
    // What products show is dearest.
    #expect(await stored(0..<6, in: store) == [0, 1, 2, 3])
    await store.limit(to: CacheDisk.Limits(bytes: Self.indexRoom + 2 * Self.diskSize, minimumFree: 0))
    #expect(await stored(0..<6, in: store).count == 2)
    #expect(try #require(store.budget).used <= Self.indexRoom + 2 * Self.diskSize)
    await store.limit(to: CacheDisk.Limits(bytes: Self.indexRoom + 6 * Self.diskSize, minimumFree: 0))
    for number in 0..<6 { #expect(await self.store(number, in: store)) }
    #expect(await stored(0..<6, in: store).count == 6)
  }

  @Test("Less than --min-free is never left on the disk for the cache's sake", .enabled(if: SmallDisk.canMount))
  func minimumFree() async throws {
    let folder = try TemporaryFolder()
    mkdir("\(folder.path)/cache", 0o755)
    let disk = try SmallDisk(at: "\(folder.path)/cache", bytes: 4_000_000)
    let lines = Lines()
    let store = try PictureStore(
      path: "\(folder.path)/cache", limits: CacheDisk.Limits(minimumFree: 2_000_000),
      threads: BlockingThreads(limit: 4),
      log: { lines.add($0) })
    for number in 0..<60 { #expect(await self.store(number, in: store)) }
    let free = try #require(FileCalls.space(at: "\(folder.path)/cache")?.free)
    #expect(free >= 1_900_000 && free < 2_200_000)
    // Somebody else fills the disk, and products show all that is left.
    await store.pin((0..<60).map { SourceKey(number: $0) })
    try folder.write("cache/objects/other", [UInt8](repeating: 1, count: 1_000_000))
    #expect(await !self.store(100, in: store))
    #expect(store.trouble == .nearlyFull)
    #expect(lines.all.count == 1)
    withExtendedLifetime(disk) {}
  }
}

extension SourceKey {
  init(number: Int) { self.init(reference: Array("\(number).jpg".utf8)) }
}

extension PictureStore {
  /// Stores a body as a fetch does, piece by piece; whether it is stored.
  func put(_ number: Int, _ bytes: [UInt8]) async -> Bool {
    let key = SourceKey(number: number)
    guard let url = try? OriginURL(Array("http://a.example/\(number).jpg".utf8)) else { return false }
    let writer = PictureWriter(for: key, store: self, isStored: true)
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      await writer.append(Array(bytes[start..<min(start + 65_536, bytes.count)]))
    }
    let finished = await writer.finish { digest, count in
      SourceRecord(
        key: key, url: url, digest: digest, format: .jpeg, bytes: count, dimensions: nil, entityTag: nil,
        lastModified: nil, cacheControl: nil, fetchedAt: 1, checkedAt: 1, lastStatus: 200)
    }
    return finished?.isStored ?? false
  }
}
