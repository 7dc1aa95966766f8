import Catalog
import Foundation
import Shop
import Testing

/// Each past schema is a backup that a program of its time made of a small shop: three of its pictures had failed.
@Suite("A shop of an earlier program")
struct PastSchemaTests {
  private static let schemas = [1]
  private static let galbi = "images/galbi.jpg"

  private func backup(ofSchema schema: Int) throws -> Backup {
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return try Backup(at: fixtures.appending(path: "schema-\(schema)").path(percentEncoded: false))
  }

  /// A data folder as that program left it.
  private func withDataFolder(ofSchema schema: Int, _ work: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try FileManager.default.copyItem(
        atPath: "\(backup(ofSchema: schema).path)/banchan.db", toPath: "\(folder)/banchan.db")
      try work(folder)
    }
  }

  private func expectWhole(_ snapshot: CatalogSnapshot) throws {
    #expect(snapshot.products.map(\.product.id.description) == ["HBDEF", "HDF73"])
    #expect(snapshot.shop.profile.name.description == "반찬" && snapshot.publishedAt == 1_796_095_460)
    let galbi = try #require(snapshot.pictures[PictureReference(Self.galbi)])
    #expect(galbi.state.facts?.width == 1_200 && galbi.state.facts?.placeholder != nil && !galbi.state.failedForGood)
    let failed = snapshot.pictures.values.filter(\.state.failedForGood)
    #expect(failed.count == 3 && failed.allSatisfy { $0.state.failure?.isEmpty == false })
  }

  @Test("is upgraded when it is opened, with everything in it, after a copy was made beside it", arguments: schemas)
  func upgrade(_ schema: Int) throws {
    try withDataFolder(ofSchema: schema) { folder in
      let before = try Data(contentsOf: URL(filePath: "\(folder)/banchan.db"))
      let store = try CatalogStore(in: DataFolder(folder))
      try expectWhole(store.snapshot)
      #expect(store.version == 2)
      let copy = try CatalogStore.migrationPlan(databaseAt: "\(folder)/banchan.db.v\(schema).backup")
      #expect(copy.from == schema && copy.to > schema)
      // Nothing of the old file is lost with the upgrade, not even its free pages' bytes.
      #expect(try Data(contentsOf: URL(filePath: "\(folder)/banchan.db.v\(schema).backup")).count == before.count)
    }
  }

  @Test("is upgraded the same whether its program ended in peace or was killed in a commit", arguments: schemas)
  func hotJournal(_ schema: Int) throws {
    try withDataFolder(ofSchema: schema) { folder in
      // What a killed program leaves when its commit had not begun to write into the file.
      try Data(repeating: 0, count: 512).write(to: URL(filePath: "\(folder)/banchan.db-journal"))
      try expectWhole(try CatalogStore(in: DataFolder(folder)).snapshot)
    }
  }

  @Test("comes back from its own backup after the upgrade and a change, in a shop of this program", arguments: schemas)
  func restore(_ schema: Int) throws {
    try withDataFolder(ofSchema: schema) { folder in
      let store = try CatalogStore(in: DataFolder(folder))
      let before = store.snapshot.products.map(\.product.title.description)
      _ = try store.import(SampleShop.catalog())
      #expect(store.snapshot.products.map(\.product.title.description) != before)
      let outcome = try Restoration(of: backup(ofSchema: schema), program: "0").carryOut(in: store, verifies: true)
      #expect(outcome.isVerified == true && store.version == 4)
      #expect(store.snapshot.products.map(\.product.title.description) == before)
    }
  }

  @Test("says beforehand what the upgrade would do, and is not touched by that", arguments: schemas)
  func plan(_ schema: Int) throws {
    try withDataFolder(ofSchema: schema) { folder in
      let path = "\(folder)/banchan.db"
      let before = try Data(contentsOf: URL(filePath: path))
      let plan = try CatalogStore.migrationPlan(databaseAt: path)
      #expect(plan.from == schema && plan.steps.first == "why pictures failed")
      #expect(plan.backup == "\(path).v\(schema).backup")
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["banchan.db"])
    }
  }
}
