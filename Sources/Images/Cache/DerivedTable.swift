import SQLite

/// The index's rows for derived pictures.
final class DerivedTable {
  private let select: Statement
  private let upsert: Statement
  private let delete: Statement

  private static let columns = "source, pipeline, size, format"
  private static let condition = "(\(columns)) = (?, ?, ?, ?)"

  init(_ database: Database) throws(SQLiteError) {
    select = try database.prepare(
      "SELECT id, digest, bytes FROM derived JOIN body ON body.id = derived.body WHERE \(Self.condition)")
    upsert = try database.prepare("INSERT OR REPLACE INTO derived (\(Self.columns), body) VALUES (?, ?, ?, ?, ?)")
    delete = try database.prepare("DELETE FROM derived WHERE \(Self.condition)")
  }

  /// The body that was derived; nil when there is none.
  func find(_ key: DerivedKey) throws(SQLiteError) -> StoredBody? {
    defer { select.reset() }
    try select.bind(Self.values(key))
    return try select.step() ? try select.body(0) : nil
  }

  func store(_ key: DerivedKey, body: Int64) throws(SQLiteError) { try upsert.run(Self.values(key) + [.integer(body)]) }

  func forget(_ key: DerivedKey) throws(SQLiteError) { try delete.run(Self.values(key)) }

  private static func values(_ key: DerivedKey) -> [SQLiteValue] {
    [
      .bytes(key.source.bytes), .integer(Int64(PictureVersion.currentPipeline)), .text(key.size.rawValue),
      .text(key.format.rawValue),
    ]
  }
}
