import Catalog
import FoundationEssentials
import Glibc
import Shop
import Testing

@Suite("The doctor")
struct DoctorTests {
  private func diagnoses(_ folder: String, now: Int64 = CatalogStore.now) -> [String: Diagnosis] {
    let all = Doctor(data: "\(folder)/data", cache: "\(folder)/cache", now: now).examine()
    return Dictionary(all.map { ($0.subject, $0) }) { first, _ in first }
  }

  private func withShop(_ work: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try withExtendedLifetime(try CatalogStore(in: DataFolder("\(folder)/data"))) { store in
        _ = try store.import(SampleShop.catalog())
        _ = try BackupShelf("\(folder)/data/backups").add(store, program: "0")
      }
      try FileManager.default.createDirectory(atPath: "\(folder)/cache", withIntermediateDirectories: true)
      try work(folder)
    }
  }

  @Test("A healthy shop has no failure, and nothing in it is changed by looking")
  func healthy() throws {
    try withShop { folder in
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      let found = diagnoses(folder)
      #expect(!found.values.contains { $0.verdict == .failure })
      for subject in [
        "data folder", "database", "permissions", "orphans", "backups", "cache folder", "clock", "SQLite",
      ] {
        #expect(found[subject]?.verdict == .ok, "\(subject): \(String(describing: found[subject]))")
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
    }
  }

  @Test("Folders that are not there yet are no failure")
  func nothing() throws {
    try withTemporaryFolder { folder in
      let found = diagnoses(folder)
      #expect(found["data folder"]?.verdict == .warning && found["cache folder"]?.verdict == .warning)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
    }
  }

  @Test("A damaged database and a damaged backup are failures that say what to do")
  func damage() throws {
    try withShop { folder in
      let path = "\(folder)/data/banchan.db"
      var bytes = try #require(FileManager.default.contents(atPath: path))
      for index in 8_192..<12_288 { bytes[index] = 0xFF }
      try bytes.write(to: URL(fileURLWithPath: path))
      let backup = try #require(BackupShelf("\(folder)/data/backups").backups.last)
      try FileManager.default.removeItem(atPath: "\(backup.path)/banchan.db")
      let found = diagnoses(folder)
      #expect(found["database"]?.verdict == .failure && found["database"]?.advice?.contains("restore") == true)
      #expect(found["backups"]?.verdict == .failure && found["backups"]?.advice?.contains("backup") == true)
    }
  }

  @Test("A clock that is years wrong, leftovers and a writable database are pointed out")
  func smaller() throws {
    try withShop { folder in
      #expect(diagnoses(folder, now: 1_000_000)["clock"]?.verdict == .failure)
      #expect(diagnoses(folder, now: CatalogStore.now - 86_400)["database"]?.finding.contains("to come") == true)
      try Data().write(to: URL(fileURLWithPath: "\(folder)/data/restoring-1-2.db"))
      #expect(diagnoses(folder)["orphans"]?.finding.contains("restoring-1-2.db") == true)
      chmod("\(folder)/data/banchan.db", 0o666)
      #expect(diagnoses(folder)["permissions"]?.verdict == .warning)
      #expect(diagnoses(folder, now: CatalogStore.now + 30 * 86_400)["backups"]?.verdict == .warning)
    }
  }
}
