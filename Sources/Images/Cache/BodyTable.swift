import SQLite

/// The index's rows for bodies.
final class BodyTable {
  private let select: Statement
  private let insert: Statement
  private let rerank: Statement
  private let total: Statement

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
  }

  /// The body of a digest; nil when there is none.
  func find(_ digest: Digest) throws(SQLiteError) -> StoredBody? {
    defer { select.reset() }
    try select.bind(digest.bytes, at: 1)
    return try select.step() ? try select.body(0) : nil
  }

  /// Notes a body that nothing refers to yet.
  func add(_ digest: Digest, bytes: Int) throws(SQLiteError) {
    try insert.run([.bytes(digest.bytes), .integer(Int64(bytes)), .integer(BodyRank.loose.rawValue)])
  }

  /// Gives a body the rank that what refers to it makes it worth.
  func updateRank(of id: Int64) throws(SQLiteError) { try rerank.run([.integer(id)]) }

  func total(of rank: BodyRank) throws(SQLiteError) -> BodyTotal {
    defer { total.reset() }
    try total.bind(rank.rawValue, at: 1)
    guard try total.step() else { return BodyTotal() }
    return BodyTotal(
      bodies: Int(clamping: try total.integer(0)), bytes: Int(clamping: try total.integer(1)),
      diskBytes: Int(clamping: try total.integer(2)))
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
