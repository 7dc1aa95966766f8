import Glibc
import HTTP
import Net
import OriginScripts
import Testing

@testable import Images

@Suite struct CacheFolderTests {
  @Test("A missing folder is made, with those above it; an empty one is taken")
  func fresh() async throws {
    let folder = try TemporaryFolder()
    for name in ["a/b/c", "d"] {
      if name == "d" { mkdir("\(folder.path)/d", 0o755) }
      let cache = try CacheFolder.open("\(folder.path)/\(name)").get()
      #expect(access("\(cache.path)/objects", F_OK) == 0)
    }
    #expect(folder.files() == ["a/b/c/layout-version", "a/b/c/lock", "d/layout-version", "d/lock"])
  }

  @Test("A folder of a newer layout is refused, and not touched")
  func newer() async throws {
    let folder = try TemporaryFolder()
    try folder.write("layout-version", Array("2\n".utf8))
    mkdir("\(folder.path)/tmp", 0o755)
    try folder.write("tmp/1", [1])
    let fault = #expect(throws: CacheFault.self) { try CacheFolder.open(folder.path) }
    #expect(fault == .newerLayout(path: folder.path, found: 2, known: 1))
    #expect(folder.files() == ["layout-version", "tmp/1"])
  }

  @Test("A folder that holds other things is refused, and not touched")
  func foreign() async throws {
    let folder = try TemporaryFolder()
    mkdir("\(folder.path)/tmp", 0o755)
    try folder.write("tmp/letter", [1])
    try folder.write("thesis.doc", [1])
    #expect(throws: CacheFault.foreign(path: folder.path)) { try CacheFolder.open(folder.path) }
    #expect(folder.files() == ["thesis.doc", "tmp/letter"])
  }

  @Test(
    "A folder that lost its mark, or bears an unreadable one, is still a cache", arguments: ["", "x", "\u{0}\u{0}"])
  func unmarked(_ mark: String) async throws {
    let folder = try TemporaryFolder()
    mkdir("\(folder.path)/objects", 0o755)
    try folder.write("index.db", [])
    if mark != "" { try folder.write("layout-version", Array(mark.utf8)) }
    _ = try CacheFolder.open(folder.path).get()
    #expect(try FileCalls.read("\(folder.path)/layout-version", upTo: 10) == Array("1\n".utf8))
  }

  @Test("One process at a time uses a folder")
  func oneAtATime() async throws {
    let folder = try TemporaryFolder()
    let first = try CacheFolder.open(folder.path).get()
    #expect(throws: CacheFault.inUse(path: folder.path)) { try CacheFolder.open(folder.path) }
    #expect(first.path == folder.path)
  }

  @Test("What was on its way in when the last run ended is removed at the start")
  func leftovers() async throws {
    let folder = try TemporaryFolder()
    do { _ = try CacheFolder.open(folder.path).get() }
    try folder.write("tmp/7", [1, 2, 3])
    _ = try CacheFolder.open(folder.path).get()
    #expect(folder.files() == ["layout-version", "lock"])
  }
}
