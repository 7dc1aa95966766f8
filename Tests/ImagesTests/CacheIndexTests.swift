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

  /// Stores a source as a store does: its body first.
  private func store(_ record: SourceRecord, in index: CacheIndex) throws {
    try index.admit(record.digest, bytes: record.bytes)
    try index.store(record)
  }

  private func open(_ folder: TemporaryFolder) throws -> CacheIndex {
    try CacheIndex(path: "\(folder.path)/index.db") { _ in }
  }

  @Test("What is stored of a source is found again, byte for byte, also by the next run")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let one = try record("갈.jpg")
    let two = try record("\u{1100}\u{1161}\u{11AF}.jpg", seed: 2)
    do {
      let index = try open(folder)
      try store(one, in: index)
      try store(two, in: index)
      #expect(try index.find(one.key)?.record == one)
    }
    let index = try open(folder)
    #expect(try index.find(one.key)?.record == one)
    #expect(try index.find(two.key)?.record == two)
    try index.forget(one.key)
    #expect(try index.find(one.key)?.record == nil)
    #expect(try index.find(two.key)?.record == two)
  }

  @Test("A later word on a source replaces the earlier one")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let index = try open(folder)
    try store(try record("a.jpg"), in: index)
    let later = try record("a.jpg", seed: 2)
    try store(later, in: index)
    #expect(try index.find(later.key)?.record == later)
  }

  @Test("A source or a derived picture without a body is not noted")
  func bodiless() throws {
    let index = try open(try TemporaryFolder())
    let one = try record("a.jpg")
    #expect(try !index.store(one))
    #expect(try index.find(one.key)?.record == nil)
    let key = DerivedKey(source: one.digest, size: .thumb, format: .webp)
    #expect(try !index.store(one.digest, as: key))
    #expect(try index.find(key) == nil)
  }

  @Test("A derived picture is found by what it was made from, its size and its format, and by nothing else")
  func derived() throws {
    let folder = try TemporaryFolder()
    let (source, body) = (Digest.of([1]), Digest.of([2]))
    let key = DerivedKey(source: source, size: .thumb, format: .webp)
    do {
      let index = try open(folder)
      try index.admit(body, bytes: 77)
      try index.store(body, as: key)
    }
    let index = try open(folder)
    #expect(try index.find(key).map { [$0.digest == body, $0.bytes == 77] } == [true, true])
    #expect(try index.find(DerivedKey(source: body, size: .thumb, format: .webp)) == nil)
    #expect(try index.find(DerivedKey(source: source, size: .medium, format: .webp)) == nil)
    #expect(try index.find(DerivedKey(source: source, size: .thumb, format: .jpeg)) == nil)
    try index.forget(key)
    #expect(try index.find(key) == nil)
  }

  @Test("Each body counts once, at what the dearest that refers to it makes it worth, whoever comes and goes")
  func totals() throws {
    let folder = try TemporaryFolder()
    let index = try open(folder)
    func totals(_ index: CacheIndex) throws -> [BodyRank: Int] {
      var bodies: [BodyRank: Int] = [:]
      for rank in BodyRank.allCases {
        let total = try index.total(of: rank)
        if total.bodies > 0 { bodies[rank] = total.bodies }
        #expect(total.bytes == total.bodies * 9)
        #expect(total.diskBytes == total.bodies * 4_096)
      }
      return bodies
    }
    let (one, same) = (try record("a.jpg"), try record("b.jpg"))
    let key = DerivedKey(source: one.digest, size: .thumb, format: .webp)
    try index.admit(one.digest, bytes: 9)
    #expect(try totals(index) == [.loose: 1])
    try index.admit(one.digest, bytes: 9)
    #expect(try totals(index) == [.loose: 1])
    try index.store(one.digest, as: key)
    #expect(try totals(index) == [.derived: 1])
    try index.store(one)
    try index.store(same)
    #expect(try totals(index) == [.original: 1])
    try store(try record("a.jpg", seed: 2), in: index)
    #expect(try totals(index) == [.original: 2])
    // With its last source goes what was made from it.
    try index.forget(same.key)
    #expect(try totals(index) == [.original: 1, .loose: 1])
    try index.store(one.digest, as: key)
    #expect(try totals(index) == [.original: 1, .derived: 1])
    try index.forget(key)
    try index.forget(one.key)
    #expect(try totals(index) == [.loose: 2])
    #expect(try totals(try open(folder)) == [.loose: 2])
  }

  @Test("An index of the first version is taken over with all that it knows")
  func firstVersion() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/index.db"
    try Self.makeFirstVersion(path, try record("a.jpg"), try record("b.jpg"), try record("c.jpg", seed: 2))
    let lines = Counter()
    let index = try CacheIndex(path: path) { _ in lines.next() }
    for (reference, seed) in [("a.jpg", 1), ("b.jpg", 1), ("c.jpg", 2)] as [(String, UInt8)] {
      var known = try record(reference, seed: seed)
      // What was stored without a word on freshness holds for a day after it was last asked for.
      known.freshness = Freshness(generatedAt: known.checkedAt, freshUntil: known.checkedAt + 86_400)
      #expect(try index.find(known.key)?.record == known)
    }
    #expect(try index.total(of: .original) == BodyTotal(bodies: 2, bytes: 18, diskBytes: 8_192))
    #expect(lines.value == 0)
  }

  private static func makeFirstVersion(_ path: String, _ records: SourceRecord...) throws {
    let database = try Database(path: path, mode: .create)
    try database.execute(
      """
      CREATE TABLE source (
        key BLOB NOT NULL PRIMARY KEY, url BLOB NOT NULL, digest BLOB NOT NULL CHECK (length(digest) = 32),
        format TEXT NOT NULL, bytes INTEGER NOT NULL CHECK (bytes > 0), width INTEGER CHECK (width > 0),
        height INTEGER CHECK (height > 0), etag BLOB, last_modified BLOB, cache_control BLOB,
        fetched_at INTEGER NOT NULL, checked_at INTEGER NOT NULL, last_status INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID
      """)
    try database.setApplicationID(0x4261_6E69)
    try database.setUserVersion(1)
    for record in records {
      let dimensions = try #require(record.dimensions)
      try database.run(
        "INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .bytes(record.key.bytes),
        .bytes(record.url.bytes), .bytes(record.digest.bytes), .text(record.format.rawValue),
        .integer(Int64(record.bytes)), .integer(Int64(dimensions.width)), .integer(Int64(dimensions.height)),
        .bytes(try #require(record.entityTag)), .null, .bytes(try #require(record.cacheControl)),
        .integer(record.fetchedAt), .integer(record.checkedAt), .integer(Int64(record.lastStatus)))
    }
  }

  @Test("An index of a version that is not known is made anew")
  func otherVersion() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/index.db"
    try store(try record("a.jpg"), in: try CacheIndex(path: path) { _ in })
    try Database(path: path, mode: .readWrite).setUserVersion(IndexSchema.version + 1)
    let lines = Counter()
    let index = try CacheIndex(path: path) { _ in lines.next() }
    #expect(try index.find(try record("a.jpg").key)?.record == nil)
    #expect(lines.value == 1)
  }
}
