import Client
import SQLite

/// The index's rows for sources.
final class SourceTable {
  private let select: Statement
  private let upsert: Statement
  private let delete: Statement

  private static let columns = """
    url, format, width, height, etag, last_modified, cache_control, fetched_at, checked_at, last_status
    """

  init(_ database: Database) throws(SQLiteError) {
    select = try database.prepare(
      "SELECT body.id, digest, bytes, \(Self.columns) FROM source JOIN body ON body.id = source.body WHERE key = ?")
    upsert = try database.prepare(
      """
      INSERT INTO source (key, body, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET (body, \(Self.columns)) =
        (excluded.body, excluded.url, excluded.format, excluded.width, excluded.height, excluded.etag,
         excluded.last_modified, excluded.cache_control, excluded.fetched_at, excluded.checked_at, excluded.last_status)
      """)
    delete = try database.prepare("DELETE FROM source WHERE key = ?")
  }

  /// What is known of a source, and its body; nil when nothing is, or when a row makes no sense (a newer format, a flipped
  /// bit).
  func find(_ key: SourceKey) throws(SQLiteError) -> (record: SourceRecord, body: StoredBody)? {
    defer { select.reset() }
    try select.bind(key.bytes, at: 1)
    guard try select.step() else { return nil }
    guard let body = try select.body(0), let url = try? OriginURL(try select.bytes(3)),
      let format = PictureFormat(rawValue: try select.text(4))
    else { return nil }
    var dimensions: SourceRecord.Dimensions?
    if let width = try select.optionalInteger(5), let height = try select.optionalInteger(6) {
      dimensions = SourceRecord.Dimensions(width: Int(clamping: width), height: Int(clamping: height))
    }
    let record = SourceRecord(
      key: key, url: url, digest: body.digest, format: format, bytes: body.bytes, dimensions: dimensions,
      entityTag: try select.optionalBytes(7), lastModified: try select.optionalBytes(8),
      cacheControl: try select.optionalBytes(9), fetchedAt: try select.integer(10), checkedAt: try select.integer(11),
      lastStatus: Int(clamping: try select.integer(12)))
    return (record, body)
  }

  func store(_ record: SourceRecord, body: Int64) throws(SQLiteError) {
    func optional(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .bytes($0) } ?? .null }
    try upsert.run([
      .bytes(record.key.bytes), .integer(body), .bytes(record.url.bytes), .text(record.format.rawValue),
      record.dimensions.map { .integer(Int64($0.width)) } ?? .null,
      record.dimensions.map { .integer(Int64($0.height)) } ?? .null,
      optional(record.entityTag), optional(record.lastModified), optional(record.cacheControl),
      .integer(record.fetchedAt), .integer(record.checkedAt), .integer(Int64(record.lastStatus)),
    ])
  }

  func forget(_ key: SourceKey) throws(SQLiteError) { try delete.run([.bytes(key.bytes)]) }
}
