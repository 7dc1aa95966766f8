import SQLite

/// The index's rows for derived pictures.
final class DerivedTable {
  private let select: Statement
  private let upsert: Statement
  private let delete: Statement
  private let deleteOfBody: Statement
  private let deleteOfSource: Statement

  private static let columns = "source, pipeline, size, format"
  private static let condition = "(\(columns)) = (?, ?, ?, ?)"

  init(_ database: Database) throws(SQLiteError) {
    select = try database.prepare(
      "SELECT id, digest, bytes FROM derived JOIN body ON body.id = derived.body WHERE \(Self.condition)")
    upsert = try database.prepare("INSERT OR REPLACE INTO derived (\(Self.columns), body) VALUES (?, ?, ?, ?, ?)")
    delete = try database.prepare("DELETE FROM derived WHERE \(Self.condition)")
    deleteOfBody = try database.prepare("DELETE FROM derived WHERE body = ?")
    deleteOfSource = try database.prepare("DELETE FROM derived WHERE source = ? RETURNING body")
  }

  /// The body that was derived; nil when there is none.
  func find(_ key: DerivedKey) throws(SQLiteError) -> StoredBody? {
    defer { select.reset() }
    try select.bind(Self.values(key))
    return try select.step() ? try select.body(0) : nil
  }

  func store(_ key: DerivedKey, body: Int64) throws(SQLiteError) { try upsert.run(Self.values(key) + [.integer(body)]) }

  func forget(_ key: DerivedKey) throws(SQLiteError) { try delete.run(Self.values(key)) }

  /// Forgets everything that has this body.
  func forget(body: Int64) throws(SQLiteError) { try deleteOfBody.run([.integer(body)]) }

  /// Forgets what was made from an original that is no longer anybody's.
  ///
  /// - Returns: the bodies.
  func forget(madeFrom source: Digest) throws(SQLiteError) -> [Int64] {
    defer { deleteOfSource.reset() }
    try deleteOfSource.bind(source.bytes, at: 1)
    var bodies: [Int64] = []
    while try deleteOfSource.step() { bodies.append(try deleteOfSource.integer(0)) }
    return bodies
  }

  private static func values(_ key: DerivedKey) -> [SQLiteValue] {
    [
      .bytes(key.source.bytes), .integer(Int64(PictureVersion.currentPipeline)), .text(key.size.rawValue),
      .text(key.format.rawValue),
    ]
  }
}
