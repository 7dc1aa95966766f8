import SQLite

/// The tables of the index.
///
/// A `body` row stands for a file, which `source` and `derived` rows refer to. The row is there before the file and goes
/// after it, so that whatever a crash leaves on the disk is counted. Triggers keep the sums of each rank, so that nothing
/// has to be added up at the start.
enum IndexSchema {
  static let applicationID: Int32 = 0x4261_6E69  // "Bani"
  static let version: Int32 = 3

  /// The unit in which a file takes room on the disk, in bytes.
  static let blockSize = 4_096

  /// Makes the tables in an empty database, or brings those of an earlier version up to date. Other versions are left alone.
  ///
  /// - Returns: whether they were made.
  static func prepare(_ database: Database) throws(SQLiteError) -> Bool {
    let owner = try database.applicationID()
    let version = try database.userVersion()
    if owner == 0, version == 0, try database.isEmpty() {
      try database.transaction { () throws(SQLiteError) in
        try database.execute(tables)
        try mark(database)
      }
      return true
    } else if owner == applicationID, version == 1 {
      try database.transaction { () throws(SQLiteError) in
        try database.execute("ALTER TABLE source RENAME TO source_of_version_1; \(tables); \(upgradeOfVersion1)")
        try mark(database)
      }
    } else if owner == applicationID, version == 2 {
      try database.transaction { () throws(SQLiteError) in
        try database.execute(upgradeOfVersion2)
        try mark(database)
      }
    }
    return false
  }

  private static func mark(_ database: Database) throws(SQLiteError) {
    try database.setApplicationID(applicationID)
    try database.setUserVersion(version)
  }

  // Bytes, not text: a key is compared byte for byte, and what an origin writes need not be UTF-8.
  private static let tables = """
    CREATE TABLE body (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      rank INTEGER NOT NULL REFERENCES rank
    ) STRICT;
    CREATE INDEX body_queue ON body (rank, id);

    CREATE TABLE source (
      key BLOB NOT NULL PRIMARY KEY,
      body INTEGER NOT NULL REFERENCES body,
      is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
      url BLOB NOT NULL,
      format TEXT NOT NULL,
      width INTEGER CHECK (width > 0),
      height INTEGER CHECK (height > 0),
      etag BLOB,
      last_modified BLOB,
      cache_control BLOB,
      fetched_at INTEGER NOT NULL,
      checked_at INTEGER NOT NULL,
      last_status INTEGER NOT NULL,
      generated_at INTEGER NOT NULL DEFAULT 0,
      fresh_until INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX source_body ON source (body);
    CREATE INDEX source_pinned ON source (key) WHERE is_pinned;

    CREATE TABLE derived (
      source BLOB NOT NULL CHECK (length(source) = 32),
      pipeline INTEGER NOT NULL,
      size TEXT NOT NULL,
      format TEXT NOT NULL,
      body INTEGER NOT NULL REFERENCES body,
      PRIMARY KEY (source, pipeline, size, format)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX derived_body ON derived (body);

    CREATE TABLE rank (
      rank INTEGER PRIMARY KEY,
      bodies INTEGER NOT NULL DEFAULT 0 CHECK (bodies >= 0),
      bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
      disk_bytes INTEGER NOT NULL DEFAULT 0 CHECK (disk_bytes >= 0),
      -- Where the eviction's hand stands.
      hand INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO rank (rank) VALUES (0), (1), (2), (3);

    CREATE TRIGGER body_added AFTER INSERT ON body BEGIN
      UPDATE rank SET bodies = bodies + 1, bytes = bytes + NEW.bytes, disk_bytes = disk_bytes + \(onDisk("NEW"))
      WHERE rank = NEW.rank;
    END;
    CREATE TRIGGER body_removed AFTER DELETE ON body BEGIN
      UPDATE rank SET bodies = bodies - 1, bytes = bytes - OLD.bytes, disk_bytes = disk_bytes - \(onDisk("OLD"))
      WHERE rank = OLD.rank;
    END;
    CREATE TRIGGER body_moved AFTER UPDATE OF rank ON body BEGIN
      UPDATE rank SET bodies = bodies - 1, bytes = bytes - OLD.bytes, disk_bytes = disk_bytes - \(onDisk("OLD"))
      WHERE rank = OLD.rank;
      UPDATE rank SET bodies = bodies + 1, bytes = bytes + NEW.bytes, disk_bytes = disk_bytes + \(onDisk("NEW"))
      WHERE rank = NEW.rank;
    END
    """

  private static func onDisk(_ row: String) -> String {
    "(\(row).bytes + \(blockSize - 1)) / \(blockSize) * \(blockSize)"
  }

  private static let upgradeOfVersion1 = """
    INSERT INTO body (digest, bytes, rank)
      SELECT digest, max(bytes), \(BodyRank.original.rawValue) FROM source_of_version_1 GROUP BY digest;
    INSERT INTO source (key, body, url, format, width, height, etag, last_modified, cache_control, fetched_at, checked_at,
        last_status, generated_at, fresh_until)
      SELECT old.key, body.id, old.url, old.format, old.width, old.height, old.etag, old.last_modified,
        old.cache_control, old.fetched_at, old.checked_at, old.last_status, old.checked_at, old.checked_at + 86400
      FROM source_of_version_1 AS old JOIN body USING (digest);
    DROP TABLE source_of_version_1
    """

  // What was stored by a version that asked no origin twice counts as answered without a word on freshness.
  private static let upgradeOfVersion2 = """
    ALTER TABLE source ADD COLUMN generated_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE source ADD COLUMN fresh_until INTEGER NOT NULL DEFAULT 0;
    UPDATE source SET generated_at = checked_at, fresh_until = checked_at + 86400
    """
}
