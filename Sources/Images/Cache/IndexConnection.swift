import Client
import SQLite

/// The open index: its connection and its statements. Belongs to the lock of its ``CacheIndex``.
final class IndexConnection {
  private let database: Database
  private let select: Statement
  private let upsert: Statement
  private let delete: Statement

  private static let applicationID: Int32 = 0x4261_6E69  // "Bani"
  private static let version: Int32 = 1

  /// Opens the index, or makes it.
  ///
  /// - Throws: `SQLiteError`, of kind `.notADatabase` also when the file is another program's, or not this version's.
  init(path: String) throws(SQLiteError) {
    // The journal survives a crash of this process; nothing waits for the disk.
    let database = try Database(path: path, mode: .create, journal: .truncate, synchronous: .off)
    let found = (
      owner: try database.applicationID(), version: try database.userVersion(), isEmpty: try database.isEmpty()
    )
    if found == (0, 0, true) {
      try database.transaction { () throws(SQLiteError) in
        try database.execute(Self.schema)
        try database.setApplicationID(Self.applicationID)
        try database.setUserVersion(Self.version)
      }
    }
    guard try database.applicationID() == Self.applicationID, try database.userVersion() == Self.version else {
      throw SQLiteError(extendedCode: notADatabase, message: "this is not this program's index", path: path)
    }
    self.database = database
    do throws(SQLiteError) {
      select = try database.prepare("SELECT \(Self.columns) FROM source WHERE key = ?")
      upsert = try database.prepare(
        "INSERT OR REPLACE INTO source (key, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      delete = try database.prepare("DELETE FROM source WHERE key = ?")
    } catch {
      throw SQLiteError(extendedCode: notADatabase, message: "tables are missing: \(error.message)", path: path)
    }
  }

  private static let columns = """
    url, digest, format, bytes, width, height, etag, last_modified, cache_control, fetched_at, checked_at, last_status
    """

  // Bytes, not text: a key is compared byte for byte, and what an origin writes need not be UTF-8.
  private static let schema = """
    CREATE TABLE source (
      key BLOB NOT NULL PRIMARY KEY,
      url BLOB NOT NULL,
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      format TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      width INTEGER CHECK (width > 0),
      height INTEGER CHECK (height > 0),
      etag BLOB,
      last_modified BLOB,
      cache_control BLOB,
      fetched_at INTEGER NOT NULL,
      checked_at INTEGER NOT NULL,
      last_status INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """

  /// What is known of a source; nil when nothing is, or when a row makes no sense (a newer format, a flipped bit).
  func find(_ key: SourceKey) throws(SQLiteError) -> SourceRecord? {
    defer { select.reset() }
    try select.bind(key.bytes, at: 1)
    guard try select.step() else { return nil }
    guard let url = try? OriginURL(try select.bytes(0)), let digest = Digest(bytes: try select.bytes(1)),
      let format = PictureFormat(rawValue: try select.text(2)), let bytes = Int(exactly: try select.integer(3))
    else { return nil }
    var dimensions: SourceRecord.Dimensions?
    if let width = try select.optionalInteger(4), let height = try select.optionalInteger(5) {
      dimensions = SourceRecord.Dimensions(width: Int(clamping: width), height: Int(clamping: height))
    }
    return SourceRecord(
      key: key, url: url, digest: digest, format: format, bytes: bytes, dimensions: dimensions,
      entityTag: try select.optionalBytes(6), lastModified: try select.optionalBytes(7),
      cacheControl: try select.optionalBytes(8), fetchedAt: try select.integer(9), checkedAt: try select.integer(10),
      lastStatus: Int(clamping: try select.integer(11)))
  }

  func store(_ record: SourceRecord) throws(SQLiteError) {
    func optional(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .bytes($0) } ?? .null }
    try upsert.run([
      .bytes(record.key.bytes), .bytes(record.url.bytes), .bytes(record.digest.bytes), .text(record.format.rawValue),
      .integer(Int64(record.bytes)),
      record.dimensions.map { .integer(Int64($0.width)) } ?? .null,
      record.dimensions.map { .integer(Int64($0.height)) } ?? .null,
      optional(record.entityTag), optional(record.lastModified), optional(record.cacheControl),
      .integer(record.fetchedAt), .integer(record.checkedAt), .integer(Int64(record.lastStatus)),
    ])
  }

  func forget(_ key: SourceKey) throws(SQLiteError) { try delete.run([.bytes(key.bytes)]) }
}

/// SQLITE_NOTADB.
private let notADatabase: Int32 = 26
