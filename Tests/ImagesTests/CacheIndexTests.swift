import Client
import OriginScripts
import SQLite
import Testing

@testable import Images

@Suite struct CacheIndexTests {
  private func record(_ url: String, seed: UInt8 = 1) throws -> SourceRecord {
    SourceRecord(
      url: try OriginURL(Array(url.utf8)), digest: Digest.of([seed]), format: .webp, bytes: 9,
      dimensions: SourceRecord.Dimensions(width: 3, height: 4), entityTag: Array("\"a\"".utf8) + [0xFF],
      lastModified: nil,
      cacheControl: Array("max-age=5".utf8), fetchedAt: 1_700_000_000, checkedAt: 1_700_000_001, lastStatus: 200)
  }

  @Test("What is stored of a source is found again, byte for byte, also by the next run")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let one = try record("http://a.example/갈")
    let two = try record("http://a.example/\u{1100}\u{1161}\u{11AF}", seed: 2)
    do {
      let index = try CacheIndex(path: "\(folder.path)/index.db") { _ in }
      try index.store(one)
      try index.store(two)
      #expect(try index.record(of: one.url) == one)
    }
    let index = try CacheIndex(path: "\(folder.path)/index.db") { _ in }
    #expect(try index.record(of: one.url) == one)
    #expect(try index.record(of: two.url) == two)
    try index.forget(one.url)
    #expect(try index.record(of: one.url) == nil)
    #expect(try index.record(of: two.url) == two)
  }

  @Test("A later word on a source replaces the earlier one")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let index = try CacheIndex(path: "\(folder.path)/index.db") { _ in }
    try index.store(try record("http://a.example/"))
    let later = try record("http://a.example/", seed: 2)
    try index.store(later)
    #expect(try index.record(of: later.url) == later)
  }

  @Test("An index of another version is made anew")
  func otherVersion() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/index.db"
    try CacheIndex(path: path) { _ in }.store(try record("http://a.example/"))
    try Database(path: path, mode: .readWrite).setUserVersion(2)
    let lines = Counter()
    let index = try CacheIndex(path: path) { _ in lines.next() }
    #expect(try index.record(of: try record("http://a.example/").url) == nil)
    #expect(lines.value == 1)
  }
}
