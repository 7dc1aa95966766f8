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
