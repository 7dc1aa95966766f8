import FoundationEssentials
import SQLite
import Testing

@testable import Catalog

/// Databases as earlier programs wrote them, byte for byte, and what was in them.
///
/// Whoever adds a step to the schema has the program from before write its pair of files first, a shop that uses all that its
/// schema knows and the export of it: `BANCHAN_WRITE_FIXTURE=yes swift test --filter FixtureTests`.
@Suite("Every past schema")
struct FixtureTests {
  private static let folder = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/Fixtures"

  @Test("has a fixture, which opens as what was in it", arguments: 1...CatalogSchema.current.version)
  func opens(_ version: Int32) throws {
    let kept = "\(Self.folder)/schema-\(version)"
    let bytes = try #require(FileManager.default.contents(atPath: "\(kept).db"), "\(kept).db is missing")
    let export = try #require(FileManager.default.contents(atPath: "\(kept).json"), "\(kept).json is missing")
    try withTemporaryFolder { folder in
      let database = "\(folder)/\(CatalogStore.fileName)"
      try bytes.write(to: URL(fileURLWithPath: database))
      #expect(try Database(path: database, mode: .readOnly).userVersion() == version)

      let plan = try CatalogStore.migrationPlan(databaseAt: database)
      #expect(plan.from == version && plan.steps.count == Int(CatalogSchema.current.version - version))
      #expect(FileManager.default.contents(atPath: database) == bytes, "planning changes nothing")

      let store = try CatalogStore(in: DataFolder(folder))
      #expect(SeedWriter.write(SeedCatalog(store.snapshot)) == Array(export))
      // Ids, times and what was learnt of pictures are no part of an export.
      #expect(store.version >= 3 && store.snapshot.productCount == store.snapshot.products.count + 1)
      let picture = try #require(store.snapshot.pictures.values.first { $0.state.revision == 2 })
      #expect(picture.state.facts?.digest == Array(repeating: 2, count: 32))
      let backup = "\(database).v\(version).backup"
      if plan.steps.isEmpty {
        #expect(!FileManager.default.fileExists(atPath: backup))
      } else {
        #expect(try CatalogStore.migrationPlan(databaseAt: backup).from == version)
      }
    }
  }

  @Test(
    "is written when somebody asks for it",
    .enabled(
      if: ProcessInfo.processInfo.environment["BANCHAN_WRITE_FIXTURE"] != nil, "BANCHAN_WRITE_FIXTURE asks for it"))
  func write() throws {
    try withTemporaryFolder { folder in
      let catalog = try SampleSeed.catalog()
      let export = try withExtendedLifetime(try CatalogStore(in: DataFolder(folder))) { store in
        let time: Int64 = 1_800_000_000
        _ = try store.import(catalog, now: time)
        let reference = try #require(catalog.products.first?.image)
        for byte in UInt8(1)...2 {
          let facts = PictureFacts(
            digest: Array(repeating: byte, count: 32), format: .jpg, width: 640, height: 480, color: 0x80_6040,
            placeholder: [1, 2, 3])
          try store.note(pictureNews: [PictureNews(reference, .stored(try #require(facts)))], now: time + Int64(byte))
        }
        // A product that is missing in the next file is hidden.
        let last = try #require(catalog.products.last).id
        let fewer = SeedCatalog(
          shop: catalog.shop, sections: catalog.sections, products: Array(catalog.products.dropLast()),
          collections: try catalog.collections.map { collection in
            try ProductCollection(
              id: collection.id, name: collection.name, products: collection.products.filter { $0 != last })
          })
        _ = try store.import(fewer, now: time + 3)
        return SeedWriter.write(SeedCatalog(store.snapshot))
      }
      let name = "\(Self.folder)/schema-\(CatalogSchema.current.version)"
      let database = try #require(FileManager.default.contents(atPath: "\(folder)/\(CatalogStore.fileName)"))
      try database.write(to: URL(fileURLWithPath: "\(name).db"))
      try Data(export).write(to: URL(fileURLWithPath: "\(name).json"))
    }
  }
}
