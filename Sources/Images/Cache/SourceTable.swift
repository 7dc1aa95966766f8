import Client
import SQLite

/// The index's rows for sources.
final class SourceTable {
  private let select: Statement
  private let upsert: Statement
  private let delete: Statement
  private let deleteOfBody: Statement
  private let countOfBody: Statement
  private let selectPin: Statement
  private let updatePin: Statement
  private let selectPinned: Statement

  private static let columns = """
    url, format, width, height, etag, last_modified, cache_control, fetched_at, checked_at, last_status, generated_at,
    fresh_until
    """

  init(_ database: Database) throws(SQLiteError) {
    select = try database.prepare(
      "SELECT body.id, digest, bytes, \(Self.columns) FROM source JOIN body ON body.id = source.body WHERE key = ?")
    upsert = try database.prepare(
      """
      INSERT INTO source (key, body, is_pinned, \(Self.columns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET (body, is_pinned, \(Self.columns)) =
        (excluded.body, excluded.is_pinned, excluded.url, excluded.format, excluded.width, excluded.height, excluded.etag,
         excluded.last_modified, excluded.cache_control, excluded.fetched_at, excluded.checked_at, excluded.last_status,
         excluded.generated_at, excluded.fresh_until)
      """)
    delete = try database.prepare("DELETE FROM source WHERE key = ?")
    deleteOfBody = try database.prepare("DELETE FROM source WHERE body = ?")
    countOfBody = try database.prepare("SELECT EXISTS (SELECT 1 FROM source WHERE body = ?)")
    selectPin = try database.prepare("SELECT body FROM source WHERE key = ? AND is_pinned <> ?")
    updatePin = try database.prepare("UPDATE source SET is_pinned = ? WHERE key = ?")
    selectPinned = try database.prepare("SELECT key FROM source WHERE is_pinned AND key > ? ORDER BY key LIMIT ?")
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
      lastStatus: Int(clamping: try select.integer(12)),
      freshness: Freshness(generatedAt: try select.integer(13), freshUntil: try select.integer(14)))
    return (record, body)
  }

  func store(_ record: SourceRecord, body: Int64, isPinned: Bool) throws(SQLiteError) {
    func optional(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .bytes($0) } ?? .null }
    try upsert.run([
      .bytes(record.key.bytes), .integer(body), .integer(isPinned ? 1 : 0), .bytes(record.url.bytes),
      .text(record.format.rawValue),
      record.dimensions.map { .integer(Int64($0.width)) } ?? .null,
      record.dimensions.map { .integer(Int64($0.height)) } ?? .null,
      optional(record.entityTag), optional(record.lastModified), optional(record.cacheControl),
      .integer(record.fetchedAt), .integer(record.checkedAt), .integer(Int64(record.lastStatus)),
      .integer(record.freshness.generatedAt), .integer(record.freshness.freshUntil),
    ])
  }

  func forget(_ key: SourceKey) throws(SQLiteError) { try delete.run([.bytes(key.bytes)]) }

  /// Forgets every source that has this body.
  func forget(body: Int64) throws(SQLiteError) { try deleteOfBody.run([.integer(body)]) }

  /// Whether any source has this body.
  func refers(to body: Int64) throws(SQLiteError) -> Bool {
    defer { countOfBody.reset() }
    try countOfBody.bind(body, at: 1)
    guard try countOfBody.step() else { return false }
    return try countOfBody.integer(0) == 1
  }

  /// Pins a source, or lets it go.
  ///
  /// - Returns: its body, when that changed anything.
  func setPinned(_ isPinned: Bool, _ key: SourceKey) throws(SQLiteError) -> Int64? {
    try selectPin.bind([.bytes(key.bytes), .integer(isPinned ? 1 : 0)])
    let body = try selectPin.step() ? try selectPin.integer(0) : nil
    selectPin.reset()
    guard let body else { return nil }
    try updatePin.run([.integer(isPinned ? 1 : 0), .bytes(key.bytes)])
    return body
  }

  /// The pinned sources after a key, in the order of keys.
  func pinned(after key: SourceKey?, limit: Int) throws(SQLiteError) -> [SourceKey] {
    defer { selectPinned.reset() }
    try selectPinned.bind([.bytes(key?.bytes ?? []), .integer(Int64(limit))])
    var keys: [SourceKey] = []
    while try selectPinned.step() { keys.append(SourceKey(stored: try selectPinned.bytes(0))) }
    return keys
  }
}
