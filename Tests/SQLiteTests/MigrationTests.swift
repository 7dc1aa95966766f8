import FoundationEssentials
import SQLite
import Testing

@Suite("Migrations")
struct MigrationTests {
  static let first = Migration("dishes") { (database) throws(SQLiteError) in
    try database.execute("CREATE TABLE dish (id INTEGER PRIMARY KEY) STRICT; INSERT INTO dish VALUES (1)")
  }
  static let second = Migration("names") { (database) throws(SQLiteError) in
    try database.execute("ALTER TABLE dish ADD COLUMN name TEXT NOT NULL DEFAULT ''")
  }
  static let broken = Migration("broken") { (database) throws(SQLiteError) in
    try database.execute("ALTER TABLE dish ADD COLUMN price INTEGER; CREATE TABLE dish (id INTEGER) STRICT")
  }
  static let old = Schema(applicationID: 7, migrations: [first])
  static let new = Schema(applicationID: 7, migrations: [first, second])

  @Test("A new file gets every step and no backup; an up-to-date one is left alone")
  func newFile() throws {
    try withTemporaryFolder { folder in
      let database = try Database(path: "\(folder)/shop.db", mode: .create)
      let outcome = try Self.new.migrate(database)
      #expect(outcome.from == 0 && outcome.to == 2 && outcome.backup == nil)
      #expect(try database.applicationID() == 7)
      #expect(try Self.new.migrate(database).from == 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["shop.db"])
    }
  }

  @Test("An older file is copied beside itself before it is changed, under a name of its own each time")
  func olderFile() throws {
    try withTemporaryFolder { folder in
      let database = try Database(path: "\(folder)/shop.db", mode: .create)
      _ = try Self.old.migrate(database)
      try Data().write(to: URL(fileURLWithPath: "\(folder)/shop.db.v1.backup"))
      let outcome = try Self.new.migrate(database)
      #expect(outcome.from == 1 && outcome.to == 2)
      let backup = try #require(outcome.backup)
      #expect(backup == "\(folder)/shop.db.v1.backup-2")
      let copy = try Database(path: backup, mode: .readOnly)
      #expect(try copy.userVersion() == 1)
      #expect(try copy.integer("SELECT count(*) FROM dish") == 1)
      #expect(try database.integer("SELECT length(name) FROM dish") == 0)
    }
  }

  @Test("A step that fails leaves the file as it was")
  func failingStep() throws {
    try withTemporaryFolder { folder in
      let database = try Database(path: "\(folder)/shop.db", mode: .create)
      _ = try Self.old.migrate(database)
      let schema = Schema(applicationID: 7, migrations: [Self.first, Self.second, Self.broken])
      let error = #expect(throws: MigrationError.self) { try schema.migrate(database) }
      guard case .stepFailed("broken", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try database.userVersion() == 1)
      #expect(throws: SQLiteError.self) { try database.prepare("SELECT name FROM dish") }
      #expect(throws: SQLiteError.self) { try database.execute("PRAGMA foreign_keys=ON; SELECT name FROM dish") }
    }
  }

  @Test("A newer file and another application's file are refused untouched, each with a sentence")
  func refusals() throws {
    try withTemporaryFolder { folder in
      let database = try Database(path: "\(folder)/shop.db", mode: .create)
      _ = try Self.new.migrate(database)
      let newer = #expect(throws: MigrationError.self) { try Self.old.migrate(database) }
      #expect(newer == .newerVersion(path: "\(folder)/shop.db", found: 2, known: 1))
      #expect(newer?.description.contains("newer version") == true)

      let other = Schema(applicationID: 8, migrations: [Self.first])
      #expect(throws: MigrationError.otherApplication(path: "\(folder)/shop.db", found: 7)) {
        try other.migrate(database)
      }

      let strange = try Database(path: "\(folder)/strange.db", mode: .create)
      try strange.execute("CREATE TABLE note (text TEXT) STRICT")
      #expect(throws: MigrationError.otherApplication(path: "\(folder)/strange.db", found: 0)) {
        try Self.old.migrate(strange)
      }
    }
  }

  @Test("A step may rebuild a table that others refer to, and may not leave a reference hanging")
  func rebuilding() throws {
    try withTemporaryFolder { folder in
      let database = try Database(path: "\(folder)/shop.db", mode: .create)
      let tables = Migration("tables") { (database) throws(SQLiteError) in
        try database.execute(
          """
          CREATE TABLE section (id TEXT PRIMARY KEY) STRICT;
          CREATE TABLE dish (id INTEGER PRIMARY KEY, section TEXT REFERENCES section ON DELETE CASCADE) STRICT;
          INSERT INTO section VALUES ('soup');
          INSERT INTO dish VALUES (1, 'soup');
          """)
      }
      let rebuild = Migration("rebuild") { (database) throws(SQLiteError) in
        try database.execute(
          """
          CREATE TABLE new (id TEXT PRIMARY KEY, name TEXT) STRICT;
          INSERT INTO new SELECT id, id FROM section;
          DROP TABLE section;
          ALTER TABLE new RENAME TO section;
          """)
      }
      let hang = Migration("hang") { (database) throws(SQLiteError) in try database.execute("DELETE FROM section") }
      _ = try Schema(applicationID: 7, migrations: [tables]).migrate(database)
      _ = try Schema(applicationID: 7, migrations: [tables, rebuild]).migrate(database)
      #expect(try database.integer("SELECT count(*) FROM dish") == 1)
      #expect(throws: MigrationError.self) {
        try Schema(applicationID: 7, migrations: [tables, rebuild, hang]).migrate(database)
      }
      #expect(try database.integer("PRAGMA foreign_keys") == 1)
      #expect(try database.integer("SELECT count(*) FROM section") == 1)
    }
  }
}
