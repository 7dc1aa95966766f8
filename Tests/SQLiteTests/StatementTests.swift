import SQLite
import Testing

@Suite("Statements")
struct StatementTests {
  let database: Database

  init() throws {
    database = try Database(path: ":memory:", mode: .create)
    try database.execute("CREATE TABLE dish (id INTEGER PRIMARY KEY, name TEXT, weight REAL, picture BLOB) STRICT")
  }

  @Test("Every kind of value comes back as it went in, NULL and emptiness told apart")
  func roundTrip() throws {
    let texts = ["김치", "", "a\0b", "é"]
    let insert = try database.prepare("INSERT INTO dish (name, weight, picture) VALUES (?, ?, ?)")
    for text in texts {
      try insert.bind(text, at: 1)
      try insert.bind(0.5, at: 2)
      try insert.bind(Array(text.utf8), at: 3)
      try insert.run()
    }
    try insert.run([nil, nil, nil])
    #expect(database.lastInsertedRowID == 5)

    let select = try database.prepare("SELECT id, name, weight, picture FROM dish ORDER BY id")
    for (index, text) in texts.enumerated() {
      #expect(try select.step())
      #expect(try select.integer(0) == Int64(index + 1))
      #expect(try Array(select.text(1).utf8) == Array(text.utf8))
      #expect(try select.real(2) == 0.5)
      #expect(try select.bytes(3) == Array(text.utf8))
    }
    #expect(try select.step())
    #expect(try select.optionalText(1) == nil)
    #expect(try select.optionalReal(2) == nil)
    #expect(try select.optionalBytes(3) == nil)
    #expect(try !select.step())
  }

  @Test("A read of another type, of NULL, or of a column that is not there throws instead of guessing")
  func strictReads() throws {
    try database.run("INSERT INTO dish (name) VALUES (?)", "김치")
    let select = try database.prepare("SELECT name, weight FROM dish")
    #expect(try select.step())
    #expect(throws: SQLiteError.self) { try select.integer(0) }
    #expect(throws: SQLiteError.self) { try select.real(1) }
    #expect(throws: SQLiteError.self) { try select.text(7) }
    #expect(throws: SQLiteError.self) { try select.text(-1) }
  }

  @Test("Text that is not UTF-8 throws")
  func invalidText() throws {
    let select = try database.prepare("SELECT CAST(x'FF61' AS TEXT)")
    #expect(try select.step())
    #expect(throws: SQLiteError.self) { try select.text(0) }
  }

  @Test(
    "What is no single statement is refused with its SQL",
    arguments: ["SELEC 1", "", "-- nothing", "SELECT 1; SELECT 2", "SELECT * FROM soup"])
  func refuses(sql: String) throws {
    let error = #expect(throws: SQLiteError.self) { try database.prepare(sql) }
    #expect(error?.sql == sql)
  }

  @Test("A trailing semicolon is no second statement")
  func semicolon() throws {
    #expect(try database.integer("SELECT 1 ;\n") == 1)
  }

  @Test("Too many, too few or misplaced values are refused")
  func parameterCount() throws {
    let select = try database.prepare("SELECT ?, ?")
    #expect(throws: SQLiteError.self) { try select.bind([1]) }
    #expect(throws: SQLiteError.self) { try select.bind([1, 2, 3]) }
    #expect(throws: SQLiteError.self) { try select.bind("x", at: 3) }
    #expect(throws: SQLiteError.self) { try select.bind("x", at: 0) }
  }

  @Test("An error carries code, extended code, words and statement")
  func errorContent() throws {
    try database.run("INSERT INTO dish (id) VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { try database.run("INSERT INTO dish (id) VALUES (?)", 1) }
    #expect(error?.kind == .constraint)
    #expect(error?.code == 19)
    #expect(error?.extendedCode == 1555)
    #expect(error?.sql == "INSERT INTO dish (id) VALUES (?)")
    #expect(error?.message == "UNIQUE constraint failed: dish.id")
  }

  @Test("A statement outlives every other reference to its database")
  func lifetime() throws {
    var other: Database? = try Database(path: ":memory:", mode: .create)
    let statement = try other?.prepare("SELECT 7")
    other = nil
    #expect(try statement?.step() == true)
    #expect(try statement?.integer(0) == 7)
  }
}
