import FoundationEssentials
import SQLite
import Testing

@Suite("Databases")
struct DatabaseTests {
  @Test("A transaction keeps all of its work or none of it")
  func transactions() throws {
    let database = try Database(path: ":memory:", mode: .create)
    try database.execute("CREATE TABLE dish (id INTEGER PRIMARY KEY) STRICT")
    let count = try database.transaction { () throws(SQLiteError) -> Int64 in
      try database.run("INSERT INTO dish VALUES (1)")
      return database.changes
    }
    #expect(count == 1)
    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        try database.run("INSERT INTO dish VALUES (2)")
        try database.run("INSERT INTO dish VALUES (1)")
      }
    }
    #expect(!database.isInTransaction)
    #expect(try database.integer("SELECT count(*) FROM dish") == 1)
  }

  @Test("A second writer waits its time, then hears that the file is busy")
  func busy() throws {
    try withTemporaryFolder { folder in
      let first = try Database(path: "\(folder)/shop.db", mode: .create)
      let second = try Database(path: "\(folder)/shop.db", mode: .readWrite, busyTimeout: 20)
      try first.transaction { () throws(SQLiteError) in
        let error = #expect(throws: SQLiteError.self) { try second.transaction { () throws(SQLiteError) in } }
        #expect(error?.kind == .busy)
      }
      try second.transaction { () throws(SQLiteError) in }
    }
  }

  @Test("A missing file is not made unless asked, and a folder or another file is no database")
  func opening() throws {
    try withTemporaryFolder { folder in
      for mode in [Database.Mode.readOnly, .readWrite] {
        let error = #expect(throws: SQLiteError.self) { try Database(path: "\(folder)/none.db", mode: mode) }
        #expect(error?.kind == .cannotOpen)
      }
      #expect(throws: SQLiteError.self) { try Database(path: folder, mode: .create) }
      #expect(throws: SQLiteError.self) { try Database(path: "\(folder)/no/shop.db", mode: .create) }
      try Data(repeating: 0x61, count: 5_000).write(to: URL(fileURLWithPath: "\(folder)/text.db"))
      let error = #expect(throws: SQLiteError.self) { try Database(path: "\(folder)/text.db", mode: .create) }
      #expect(error?.kind == .notADatabase)
    }
  }

  @Test("A connection for reading cannot write")
  func readOnly() throws {
    try withTemporaryFolder { folder in
      try Database(path: "\(folder)/shop.db", mode: .create).execute("CREATE TABLE dish (id INTEGER) STRICT")
      let reader = try Database(path: "\(folder)/shop.db", mode: .readOnly)
      let error = #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO dish VALUES (1)") }
      #expect(error?.kind == .readOnly)
    }
  }

  @Test("Foreign keys hold, and a misspelt column is no string")
  func strictness() throws {
    let database = try Database(path: ":memory:", mode: .create)
    try database.execute(
      """
      CREATE TABLE section (id TEXT PRIMARY KEY) STRICT;
      CREATE TABLE dish (id INTEGER PRIMARY KEY, section TEXT NOT NULL REFERENCES section) STRICT;
      """)
    #expect(throws: SQLiteError.self) { try database.run("INSERT INTO dish VALUES (1, 'soup')") }
    #expect(throws: SQLiteError.self) { try database.prepare("SELECT \"nam\" FROM dish") }
  }

  @Test("A backup is a whole database of its own and never overwrites")
  func backup() throws {
    try withTemporaryFolder { folder in
      let database = try Database(path: "\(folder)/shop.db", mode: .create)
      try database.execute("CREATE TABLE dish (id INTEGER) STRICT; INSERT INTO dish VALUES (7)")
      try database.setApplicationID(42)
      try database.backup(to: "\(folder)/copy.db")
      #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == ["shop.db", "copy.db"])
      let copy = try Database(path: "\(folder)/copy.db", mode: .readOnly)
      #expect(try copy.integer("SELECT id FROM dish") == 7)
      #expect(try copy.applicationID() == 42)
      #expect(throws: SQLiteError.self) { try database.backup(to: "\(folder)/copy.db") }
      #expect(throws: SQLiteError.self) { try database.backup(to: "\(folder)/no/copy.db") }
    }
  }
}
