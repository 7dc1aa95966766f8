import Catalog
import FoundationEssentials
import SQLite
import Testing

@Suite("Opening a data folder")
struct OpeningTests {
  @Test("A folder is made, and belongs to one holder at a time")
  func lock() throws {
    try withTemporaryFolder { folder in
      let path = "\(folder)/new/data/"
      do {
        let first = try DataFolder(path)
        #expect(first.path == "\(folder)/new/data" && first.file("x") == "\(folder)/new/data/x")
        let error = #expect(throws: DataFolderError.self) { try DataFolder(path) }
        #expect(error == .inUse(path: first.path, process: String(ProcessInfo.processInfo.processIdentifier)))
        #expect(error?.description.contains("stop that one") == true)
      }
      _ = try DataFolder(path)
    }
  }

  @Test("What is no folder, cannot be written to, or was laid out by a newer program is refused in a sentence")
  func refusals() throws {
    try withTemporaryFolder { folder in
      try Data().write(to: URL(fileURLWithPath: "\(folder)/file"))
      let file = #expect(throws: DataFolderError.self) { try DataFolder("\(folder)/file") }
      guard case .notAFolder = file else {
        Issue.record("\(String(describing: file))")
        return
      }
      let proc = #expect(throws: DataFolderError.self) { try DataFolder("/proc") }
      guard case .notWritable = proc else {
        Issue.record("\(String(describing: proc))")
        return
      }
      _ = try DataFolder("\(folder)/data")
      try Data("2\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/data/layout"))
      #expect(throws: DataFolderError.newerLayout(path: "\(folder)/data", found: "2")) {
        try DataFolder("\(folder)/data")
      }
    }
  }

  @Test("Another application's database, a newer one and a file that is none are refused untouched")
  func databases() throws {
    try withTemporaryFolder { folder in
      let path = "\(folder)/banchan.db"
      do {
        let other = try Database(path: path, mode: .create)
        try other.execute("CREATE TABLE note (text TEXT) STRICT")
      }
      let other = #expect(throws: CatalogStoreError.self) { try CatalogStore(in: DataFolder(folder)) }
      #expect(other == .unsuitable(.otherApplication(path: path, found: 0)))

      try FileManager.default.removeItem(atPath: path)
      _ = try CatalogStore(in: DataFolder(folder))
      try Database(path: path, mode: .readWrite).setUserVersion(99)
      let newer = #expect(throws: CatalogStoreError.self) { try CatalogStore(in: DataFolder(folder)) }
      #expect(newer == .unsuitable(.newerVersion(path: path, found: 99, known: 2)))
      #expect(throws: CatalogStoreError.self) { try CatalogStore.read(databaseAt: path) }

      try FileManager.default.removeItem(atPath: path)
      try Data("no database, whatever its name says".utf8).write(to: URL(fileURLWithPath: path))
      let text = #expect(throws: CatalogStoreError.self) { try CatalogStore(in: DataFolder(folder)) }
      #expect(text?.description.contains("is no database") == true)
    }
  }

  @Test("Every new database has the shop's mark and strict tables")
  func marks() throws {
    try withTemporaryFolder { folder in
      _ = try CatalogStore(in: DataFolder(folder))
      let database = try Database(path: "\(folder)/banchan.db", mode: .readWrite)
      #expect(try database.applicationID() == 0x4241_4E43)
      #expect(try database.userVersion() == 2)
      #expect(
        try database.integer("SELECT count(*) FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite%'") == 0
      )
      for row in [
        "INSERT INTO section VALUES ('a b', 0, 0, 'x', '')",
        "INSERT INTO product (id, section, position, title, description, price, badges, status, image, details, notices, "
          + "created_at, updated_at) VALUES ('A', 'none', 0, 't', '', 1, '', 'onSale', 'i', '', '', 0, 0)",
        "INSERT INTO picture (reference, revision, failure) VALUES ('x', 1, '')",
      ] {
        let error = #expect(throws: SQLiteError.self) { try database.run(row) }
        #expect(error?.kind == .constraint)
      }
    }
  }

  @Test("A row that no program of ours writes is called damage")
  func damage() throws {
    try withTemporaryFolder { folder in
      try withExtendedLifetime(try CatalogStore(in: DataFolder(folder))) { _ = try $0.import(SampleSeed.catalog()) }
      try Database(path: "\(folder)/banchan.db", mode: .readWrite).execute("UPDATE product SET badges = 'shiny'")
      let error = #expect(throws: CatalogStoreError.self) { try CatalogStore(in: DataFolder(folder)) }
      #expect(error == .damaged(path: "\(folder)/banchan.db", row: "product HBDEF"))
    }
  }
}
