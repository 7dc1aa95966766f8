import Client
import OriginScripts
import SQLite
import Testing

@testable import Images

@Suite struct CacheIndexTests {
  private func record(_ reference: String, seed: UInt8 = 1) throws -> SourceRecord {
    SourceRecord(
      key: SourceKey(reference: Array(reference.utf8)), url: try OriginURL(Array("http://a.example/".utf8)),
      digest: Digest.of([seed]), format: .webp, bytes: 9,
      dimensions: SourceRecord.Dimensions(width: 3, height: 4), entityTag: Array("\"a\"".utf8) + [0xFF],
      lastModified: nil,
      cacheControl: Array("max-age=5".utf8), fetchedAt: 1_700_000_000, checkedAt: 1_700_000_001, lastStatus: 200)
  }

  @Test("What is stored of a source is found again, byte for byte, also by the next run")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let one = try record("갈.jpg")
    let two = try record("\u{1100}\u{1161}\u{11AF}.jpg", seed: 2)
    do {
      let index = try CacheIndex(path: "\(folder.path)/index.db") { _ in }
      try index.store(one)
      try index.store(two)
      #expect(try index.record(of: one.key) == one)
    }
    let index = try CacheIndex(path: "\(folder.path)/index.db") { _ in }
    #expect(try index.record(of: one.key) == one)
    #expect(try index.record(of: two.key) == two)
    try index.forget(one.key)
    #expect(try index.record(of: one.key) == nil)
    #expect(try index.record(of: two.key) == two)
  }

  @Test("A later word on a source replaces the earlier one")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let index = try CacheIndex(path: "\(folder.path)/index.db") { _ in }
    try index.store(try record("a.jpg"))
    let later = try record("a.jpg", seed: 2)
    try index.store(later)
    #expect(try index.record(of: later.key) == later)
  }

  @Test("An index of another version is made anew")
  func otherVersion() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/index.db"
    try CacheIndex(path: path) { _ in }.store(try record("a.jpg"))
    try Database(path: path, mode: .readWrite).setUserVersion(2)
    let lines = Counter()
    let index = try CacheIndex(path: path) { _ in lines.next() }
    #expect(try index.record(of: try record("a.jpg").key) == nil)
    #expect(lines.value == 1)
  }
}
