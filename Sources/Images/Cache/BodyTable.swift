import SQLite

/// The index's rows for bodies.
final class BodyTable {
  private let select: Statement
  private let insert: Statement
  private let rerank: Statement
  private let total: Statement
  private let selectSums: Statement
  private let selectNext: Statement
  private let selectByID: Statement
  private let selectAll: Statement
  private let delete: Statement
  private let selectHand: Statement
  private let updateHand: Statement

  init(_ database: Database) throws(SQLiteError) {
    select = try database.prepare("SELECT id, digest, bytes FROM body WHERE digest = ?")
    insert = try database.prepare("INSERT INTO body (digest, bytes, rank) VALUES (?, ?, ?)")
    // The dearest of what refers to it counts.
    rerank = try database.prepare(
      """
      UPDATE body SET rank = dear.rank FROM (
        SELECT CASE
          WHEN EXISTS (SELECT 1 FROM source WHERE body = ?1 AND is_pinned) THEN \(BodyRank.pinned.rawValue)
          WHEN EXISTS (SELECT 1 FROM source WHERE body = ?1) THEN \(BodyRank.original.rawValue)
          WHEN EXISTS (SELECT 1 FROM derived WHERE body = ?1) THEN \(BodyRank.derived.rawValue)
          ELSE \(BodyRank.loose.rawValue) END AS rank) AS dear
      WHERE id = ?1 AND body.rank <> dear.rank
      """)
    total = try database.prepare("SELECT bodies, bytes, disk_bytes FROM rank WHERE rank = ?")
    selectSums = try database.prepare(
      "SELECT rank, bodies, bytes, disk_bytes, page_count * page_size FROM rank, pragma_page_count, pragma_page_size")
    selectNext = try database.prepare("SELECT id FROM body WHERE rank = ? AND id >= ? ORDER BY id LIMIT 1")
    selectByID = try database.prepare("SELECT id, digest, bytes FROM body WHERE id = ?")
    selectAll = try database.prepare("SELECT id, digest, bytes FROM body WHERE digest BETWEEN ? AND ?")
    delete = try database.prepare("DELETE FROM body WHERE id = ?")
    selectHand = try database.prepare("SELECT hand FROM rank WHERE rank = ?")
    updateHand = try database.prepare("UPDATE rank SET hand = ? WHERE rank = ?")
  }

  /// The body of a digest; nil when there is none.
  func find(_ digest: Digest) throws(SQLiteError) -> StoredBody? {
    defer { select.reset() }
    try select.bind(digest.bytes, at: 1)
    return try select.step() ? try select.body(0) : nil
  }

  /// The body of a row; nil when there is none.
  func find(id: Int64) throws(SQLiteError) -> StoredBody? {
    defer { selectByID.reset() }
    try selectByID.bind(id, at: 1)
    return try selectByID.step() ? try selectByID.body(0) : nil
  }

  /// The bodies whose digests begin with a byte.
  func all(_ prefix: UInt8) throws(SQLiteError) -> [StoredBody] {
    defer { selectAll.reset() }
    try selectAll.bind([prefix], at: 1)
    // A byte longer than any digest, and so behind all that begin alike.
    try selectAll.bind([prefix] + [UInt8](repeating: 0xFF, count: Digest.byteCount), at: 2)
    var bodies: [StoredBody] = []
    while try selectAll.step() {
      if let body = try selectAll.body(0) { bodies.append(body) }
    }
    return bodies
  }

  /// The first body of a rank from a row on.
  func next(of rank: BodyRank, from id: Int64) throws(SQLiteError) -> Int64? {
    defer { selectNext.reset() }
    try selectNext.bind(rank.rawValue, at: 1)
    try selectNext.bind(id, at: 2)
    return try selectNext.step() ? try selectNext.integer(0) : nil
  }

  /// Notes a body that nothing refers to yet.
  func add(_ digest: Digest, bytes: Int) throws(SQLiteError) {
    try insert.run([.bytes(digest.bytes), .integer(Int64(bytes)), .integer(BodyRank.loose.rawValue)])
  }

  /// Gives a body the rank that what refers to it makes it worth.
  func updateRank(of id: Int64) throws(SQLiteError) { try rerank.run([.integer(id)]) }

  /// Drops a body that nothing refers to any more.
  func remove(id: Int64) throws(SQLiteError) { try delete.run([.integer(id)]) }

  func total(of rank: BodyRank) throws(SQLiteError) -> BodyTotal {
    defer { total.reset() }
    try total.bind(rank.rawValue, at: 1)
    guard try total.step() else { return BodyTotal() }
    return BodyTotal(
      bodies: Int(clamping: try total.integer(0)), bytes: Int(clamping: try total.integer(1)),
      diskBytes: Int(clamping: try total.integer(2)))
  }

  /// What the bodies of each rank come to, and what the index takes.
  func sums() throws(SQLiteError) -> IndexSums {
    defer { selectSums.reset() }
    var sums = IndexSums()
    while try selectSums.step() {
      sums.fileBytes = Int(clamping: try selectSums.integer(4))
      guard let rank = BodyRank(rawValue: try selectSums.integer(0)) else { continue }
      sums[rank] = BodyTotal(
        bodies: Int(clamping: try selectSums.integer(1)), bytes: Int(clamping: try selectSums.integer(2)),
        diskBytes: Int(clamping: try selectSums.integer(3)))
    }
    return sums
  }

  /// Where the eviction of a rank stands.
  func hand(of rank: BodyRank) throws(SQLiteError) -> Sieve {
    defer { selectHand.reset() }
    try selectHand.bind(rank.rawValue, at: 1)
    return try selectHand.step() ? Sieve(position: try selectHand.integer(0)) : Sieve()
  }

  func setHand(_ sieve: Sieve, of rank: BodyRank) throws(SQLiteError) {
    try updateHand.run([.integer(sieve.position), .integer(rank.rawValue)])
  }
}

extension Statement {
  /// The body whose id, digest and length stand in three columns from `column` on; nil when they make no sense.
  func body(_ column: Int32) throws(SQLiteError) -> StoredBody? {
    guard let digest = Digest(bytes: try bytes(column + 1)), let count = Int(exactly: try integer(column + 2)) else {
      return nil
    }
    return StoredBody(id: try integer(column), digest: digest, bytes: count)
  }
}
