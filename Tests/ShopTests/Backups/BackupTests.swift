import FoundationEssentials
import Shop
import SQLite
import Testing

@testable import Catalog

@Suite("Backups")
struct BackupTests {
  /// A shop in a folder, and a shelf in another.
  private func withShop(_ work: (CatalogStore, BackupShelf) throws -> Void) throws {
    try withSampleShop { store in
      try withTemporaryFolder { try work(store, BackupShelf("\($0)/shelf")) }
    }
  }

  private func titles(_ store: CatalogStore) -> [String] { store.snapshot.products.map(\.product.title.description) }

  private func rename(_ store: CatalogStore) throws {
    _ = try store.import(SampleShop.catalog(replacing: "미역국", with: "북엇국"))
  }

  @Test("What was in the shop comes back, at a later version, and what was there instead is kept")
  func restore() throws {
    try withShop { store, shelf in
      let before = titles(store)
      let backup = try shelf.add(store, program: "0")
      try rename(store)
      let version = store.version
      let outcome = try Restoration(of: backup, program: "0").carryOut(in: store, verifies: true)
      #expect(titles(store) == before)
      #expect(outcome.version == version + 1 && store.version == version + 1 && outcome.isVerified == true)
      #expect(outcome.products == store.snapshot.productCount)

      let folder = try #require(store.folder)
      let previous = try Backup(at: folder.file("backups/\(try #require(outcome.previous))"))
      _ = try Restoration(of: previous, program: "0").carryOut(in: store, verifies: false)
      #expect(titles(store).contains("북엇국"))
    }
  }

  @Test("A shop that was restored is the same when it is opened again")
  func reopening() throws {
    try withTemporaryFolder { folder in
      let shelf = BackupShelf("\(folder)/shelf")
      let restored = try withExtendedLifetime(try CatalogStore(in: DataFolder("\(folder)/data"))) { store in
        _ = try store.import(SampleShop.catalog())
        let backup = try shelf.add(store, program: "0")
        try rename(store)
        _ = try Restoration(of: backup, program: "0").carryOut(in: store, verifies: true)
        return (store.version, titles(store))
      }
      let again = try CatalogStore(in: DataFolder("\(folder)/data"))
      #expect(again.version == restored.0 && titles(again) == restored.1)
    }
  }

  @Test("A picture's name never comes to mean other bytes: a revision that was shown does not go back")
  func revisions() throws {
    try withShop { store, shelf in
      let picture = try #require(store.snapshot.products.first?.image.reference)
      func learn(_ byte: UInt8) throws {
        let facts = try #require(PictureFacts(digest: Array(repeating: byte, count: 32), format: .jpg))
        try store.note(pictureNews: [PictureNews(picture, .stored(facts))])
      }
      try learn(1)
      let backup = try shelf.add(store, program: "0")
      try learn(2)
      try learn(3)
      let shown = try #require(store.snapshot.pictures[picture]?.state)
      _ = try Restoration(of: backup, program: "0").carryOut(in: store, verifies: true)
      #expect(store.snapshot.pictures[picture]?.state == shown)
      #expect(shown.revision == 3)
    }
  }

  @Test("An empty folder becomes the shop of a backup, uploaded pictures included")
  func newFolder() throws {
    try withShop { store, shelf in
      let data = try #require(store.folder?.path)
      try FileManager.default.createDirectory(atPath: "\(data)/uploads/ab", withIntermediateDirectories: true)
      try Data("picture".utf8).write(to: URL(fileURLWithPath: "\(data)/uploads/ab/cd"))
      let backup = try shelf.add(store, program: "0")
      #expect(backup.manifest.files.map(\.path) == ["banchan.db", "uploads/ab/cd"])
      let fresh = try CatalogStore(in: DataFolder("\(shelf.path)/../new"))
      let outcome = try Restoration(of: backup, program: "0").carryOut(in: fresh, verifies: true)
      #expect(outcome.previous == nil && titles(fresh) == titles(store))
      #expect(FileManager.default.contents(atPath: "\(shelf.path)/../new/uploads/ab/cd") == Data("picture".utf8))
    }
  }

  @Test(
    "A backup that is not what it was when it was written is refused, and changes nothing",
    arguments: ["a flipped bit", "a short file", "no database", "a missing picture", "no manifest", "a newer layout"])
  func damage(_ kind: String) throws {
    try withShop { store, shelf in
      let data = try #require(store.folder?.path)
      try FileManager.default.createDirectory(atPath: "\(data)/uploads", withIntermediateDirectories: true)
      try Data("picture".utf8).write(to: URL(fileURLWithPath: "\(data)/uploads/a"))
      let backup = try shelf.add(store, program: "0")
      try rename(store)
      let before = (store.version, titles(store))
      let (database, manifest) = ("\(backup.path)/banchan.db", "\(backup.path)/manifest.json")
      var bytes = try #require(FileManager.default.contents(atPath: database))
      switch kind {
      case "a flipped bit":
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: database))
      case "a short file": try bytes.dropLast(4096).write(to: URL(fileURLWithPath: database))
      case "no database": try FileManager.default.removeItem(atPath: database)
      case "a missing picture": try FileManager.default.removeItem(atPath: "\(backup.path)/uploads/a")
      case "no manifest": try FileManager.default.removeItem(atPath: manifest)
      default:
        let text = String(decoding: try #require(FileManager.default.contents(atPath: manifest)), as: UTF8.self)
        let newer = text.split(separator: "\"layout\": 1", omittingEmptySubsequences: false).joined(
          separator: "\"layout\": 2")
        try Data(newer.utf8).write(to: URL(fileURLWithPath: manifest))
      }
      let error = #expect(throws: BackupError.self) {
        _ = try Restoration(of: Backup(at: backup.path), program: "0").carryOut(in: store, verifies: false)
      }
      #expect(error?.description.contains(backup.path) == true)
      #expect((store.version, titles(store)) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: data).contains { $0.hasPrefix("restoring") } == false)
    }
  }

  @Test("So many are kept, the newest ones; what is not ours is left alone, and what a killed backup left goes")
  func rotation() throws {
    try withShop { store, shelf in
      for folder in ["notes", ".banchan-1-1.partial", "banchan-2000"] {
        try FileManager.default.createDirectory(atPath: "\(shelf.path)/\(folder)", withIntermediateDirectories: true)
      }
      let names = try (0..<5).map { try shelf.add(store, program: "0", now: SampleShop.time + Int64($0)).name }
      #expect(names.first == "banchan-20240301T093000Z")
      #expect(try shelf.rotate(keeping: 2) == Array(names.prefix(3)))
      #expect(shelf.backups.map(\.name) == Array(names.suffix(2)))
      let left = try FileManager.default.contentsOfDirectory(atPath: shelf.path).sorted()
      #expect(left == ["banchan-2000", names[3], names[4], "notes"].sorted())
    }
  }

  @Test("Two backups of the same second stand beside each other")
  func sameSecond() throws {
    try withShop { store, shelf in
      let names = try (0..<2).map { _ in try shelf.add(store, program: "0", now: SampleShop.time).name }
      #expect(names == ["banchan-20240301T093000Z", "banchan-20240301T093000Z-2"])
    }
  }

  @Test(
    "A path out of the backup's folder is no backup of ours", arguments: ["../x", "/etc/passwd", "a//b", "./a", ""])
  func escaping(_ path: String) throws {
    try withShop { store, shelf in
      let backup = try shelf.add(store, program: "0")
      let manifest = "\(backup.path)/manifest.json"
      let text = String(decoding: try #require(FileManager.default.contents(atPath: manifest)), as: UTF8.self)
      let changed = text.split(separator: "banchan.db").joined(separator: path)
      try Data(changed.utf8).write(to: URL(fileURLWithPath: manifest))
      #expect(throws: BackupError.self) { try Backup(at: backup.path) }
    }
  }

  // MARK: Where the shop itself cannot be used

  @Test(
    "A backup is restored also where the database cannot be used, which is kept",
    arguments: ["damaged", "no database", "empty", "of another program", "missing"])
  func unusable(_ kind: String) throws {
    try withTemporaryFolder { folder in
      let data = "\(folder)/data"
      let database = "\(data)/banchan.db"
      let backup = try withExtendedLifetime(try CatalogStore(in: DataFolder(data))) { store in
        _ = try store.import(SampleShop.catalog())
        return try BackupShelf("\(folder)/shelf").add(store, program: "0")
      }
      var bytes = try #require(FileManager.default.contents(atPath: database))
      switch kind {
      case "damaged":
        // All but the header, so that it looks like ours.
        for index in 100..<bytes.count { bytes[index] = 0xff }
        try bytes.write(to: URL(fileURLWithPath: database))
      case "no database": try Data("text".utf8).write(to: URL(fileURLWithPath: database))
      case "empty": try Data().write(to: URL(fileURLWithPath: database))
      case "of another program":
        try FileManager.default.removeItem(atPath: database)
        try Database(path: database, mode: .create).execute("CREATE TABLE note (text TEXT) STRICT")
      default: try FileManager.default.removeItem(atPath: database)
      }
      let found = FileManager.default.contents(atPath: database)
      // What a killed writer left must not be played back into the restored one.
      try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: "\(database)-journal"))

      let outcome = try Restoration(of: backup, program: "0").carryOut(
        in: DataFolder(data), verifies: true)
      #expect(outcome.isVerified == true && outcome.products == backup.manifest.products)
      let store = try CatalogStore(in: DataFolder(data))
      #expect(store.snapshot.productCount == backup.manifest.products)
      #expect(store.version > backup.manifest.catalogVersion)
      // Where there was nothing, there is nothing to keep.
      #expect((outcome.setAside == nil) == ["missing", "empty"].contains(kind))
      if let aside = outcome.setAside { #expect(FileManager.default.contents(atPath: "\(data)/\(aside)") == found) }
    }
  }

  @Test(
    "An upgrade can be undone: the backup from before it is restored by the older program, and nothing is thrown away")
  func upgradeAndBack() throws {
    let next = Schema(
      applicationID: CatalogSchema.applicationID,
      migrations: CatalogSchema.current.migrations + [
        Migration("what is to come") { (database) throws(SQLiteError) in
          try database.execute("CREATE TABLE to_come (id INTEGER PRIMARY KEY) STRICT; INSERT INTO to_come VALUES (1)")
        }
      ])
    try withTemporaryFolder { folder in
      let data = "\(folder)/data"
      func open(_ schema: Schema) throws -> CatalogStore { try CatalogStore(in: DataFolder(data), schema: schema) }
      // This program, and a backup of its making.
      let (backup, before) = try withExtendedLifetime(try open(CatalogSchema.current)) { store in
        _ = try store.import(SampleShop.catalog())
        return (try BackupShelf("\(data)/backups").add(store, program: "N"), titles(store))
      }
      // The next one upgrades the database, copies it before, and writes.
      let later = try withExtendedLifetime(try open(next)) { store in
        try rename(store)
        return store.version
      }
      let copy = "\(data)/banchan.db.v\(CatalogSchema.current.version).backup"
      #expect(try CatalogStore.read(databaseAt: copy).products.map(\.product.title.description) == before)
      // This program refuses it, untouched, and says what to do.
      let refusal = #expect(throws: CatalogStoreError.self) { try open(CatalogSchema.current) }
      #expect(refusal?.isOfTheFile == true && refusal?.description.contains("restore the backup") == true)

      let outcome = try Restoration(of: backup, program: "N").carryOut(
        in: DataFolder(data), verifies: true)
      let restored = try withExtendedLifetime(try open(CatalogSchema.current)) { titles($0) }
      #expect(restored == before)
      #expect(outcome.version == later + 1, "clients that saw the later version see a newer one")
      // What the next program had written is still there for it.
      let aside = try #require(outcome.setAside)
      let kept = try Database(path: "\(data)/\(aside)", mode: .readOnly)
      #expect(try kept.integer("SELECT id FROM to_come") == 1)
      #expect(try kept.integer("SELECT count(*) FROM product WHERE title = '북엇국'") == 1)
      // And its own copy of the older database is brought up to date when it restores that.
      let old = "\(folder)/old.db"
      try FileManager.default.copyItem(atPath: copy, toPath: old)
      #expect(try CatalogStore.examine(copyAt: old, schema: next).products.map(\.product.title.description) == before)
    }
  }
}
