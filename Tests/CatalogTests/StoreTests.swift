import Catalog
import FoundationEssentials
import SQLite
import Testing

@Suite("The store")
struct StoreTests {
  @Test("An import is there after a restart, and an export gives the file back")
  func roundTrip() throws {
    try withTemporaryFolder { folder in
      do {
        let store = try CatalogStore(in: DataFolder(folder))
        #expect(store.version == 0 && store.snapshot.sections.isEmpty)
        let summary = try store.import(SampleSeed.catalog(), now: 1_000)
        #expect(summary.created == 3 && summary.hasChanges)
        #expect(store.version == 1 && store.snapshot.publishedAt == 1_000)
        #expect(SeedWriter.write(SeedCatalog(store.snapshot)) == SampleSeed.bytes)
      }
      let store = try CatalogStore(in: DataFolder(folder))
      let snapshot = store.snapshot
      #expect(snapshot.version == 1 && snapshot.publishedAt == 1_000)
      #expect(SeedWriter.write(SeedCatalog(snapshot)) == SampleSeed.bytes)
      #expect(
        SeedWriter.write(SeedCatalog(try CatalogStore.read(databaseAt: "\(folder)/banchan.db"))) == SampleSeed.bytes)
      #expect(try store.import(SampleSeed.catalog()).hasChanges == false)
    }
  }

  @Test("A snapshot has sections in order, each with its visible products")
  func layout() throws {
    try withStore { store in
      let snapshot = store.snapshot
      #expect(snapshot.sections.map(\.section.id.text) == ["main", "soup"])
      #expect(snapshot.sections.map { $0.products.map(\.product.id.text) } == [["HBDEF", "HDF73"], []])
      #expect(try snapshot.section(SectionID("main"))?.products.count == 2)
      #expect(try snapshot.section(SectionID("side")) == nil)
      #expect(try snapshot.product(ProductID("HBDEF"))?.product.price.amount == 12_640)
      #expect(try snapshot.product(ProductID("H72C3")) == nil)
      #expect(snapshot.products.map(\.product.id.text) == ["HBDEF", "HDF73"])
      #expect(snapshot.collections.map { $0.products.map(\.product.id.text) } == [["HBDEF"]])
      #expect(snapshot.pictures.count == 5)
      let entry = try #require(snapshot.product(try ProductID("HDF73")))
      #expect(entry.deliveryTypes == [.dawn, .parcel] && entry.alt == "제육볶음" && entry.delivery.info == "서울 새벽배송")
    }
  }

  @Test("A change touches its product alone; everything else is the same object in the next snapshot")
  func sharing() throws {
    try withStore { store in
      let before = store.snapshot
      let summary = try store.import(
        SampleSeed.catalog(replacing: "\"price\": 9900", with: "\"price\": 9500"), now: 2_000)
      #expect((summary.created, summary.changed, summary.unchanged, summary.hidden) == (0, 1, 2, 0))
      let after = store.snapshot
      #expect(after.version == 2 && store.version == 2)
      #expect(try after.product(ProductID("HBDEF")) === before.product(ProductID("HBDEF")))
      let old = try #require(before.product(try ProductID("HDF73")))
      let new = try #require(after.product(try ProductID("HDF73")))
      #expect(old !== new && new.image === old.image)
      #expect((old.createdAt, old.updatedAt) == (1_000, 1_000))
      #expect((new.createdAt, new.updatedAt) == (1_000, 2_000))
      #expect(old.product.price.amount == 9_900)
    }
  }

  @Test("What the shop says for its products makes their entries new, and their own time stays")
  func shopDefaults() throws {
    try withStore { store in
      let before = try #require(store.snapshot.product(try ProductID("HDF73")))
      _ = try store.import(SampleSeed.catalog(replacing: "서울 새벽배송", with: "전국 새벽배송"), now: 2_000)
      let after = try #require(store.snapshot.product(try ProductID("HDF73")))
      #expect(before !== after && after.delivery.info == "전국 새벽배송" && after.updatedAt == 1_000)
    }
  }

  @Test("What a file lacks is hidden, its section with it, and comes back with its history")
  func hiding() throws {
    try withStore { store in
      let less = try SeedFile.read(
        Array(
          """
          {"shop":{"name":"반찬","placeholder":"images/placeholder.jpg","delivery":{"types":["dawn","parcel"],
          "info":"서울 새벽배송","fee":"2,500원 (40,000원 이상 구매 시 무료)","freeFrom":40000}},
          "sections":[{"id":"soup","name":"국","title":""}],"products":[{"id":"H9999","section":"soup","title":"새 국",
          "description":"","price":1,"image":"images/new.jpg"}],"collections":[]}
          """.utf8))
      #expect(store.preview(less).hidden == 2)
      let summary = try store.import(less, now: 2_000)
      #expect((summary.created, summary.changed, summary.unchanged, summary.hidden) == (1, 0, 0, 2))
      let snapshot = store.snapshot
      #expect(snapshot.sections.map(\.section.id.text) == ["soup"])
      #expect(snapshot.products.map(\.product.id.text) == ["H9999"])
      #expect(snapshot.collections.isEmpty)

      let export = SeedWriter.write(SeedCatalog(snapshot))
      #expect(try store.import(SeedFile.read(export), now: 3_000).changed == 0)
      #expect(SeedWriter.write(SeedCatalog(store.snapshot)) == export)

      let back = try store.import(SampleSeed.catalog(), now: 4_000)
      #expect((back.created, back.changed, back.unchanged, back.hidden) == (0, 2, 1, 1))
      let entry = try #require(store.snapshot.product(try ProductID("HBDEF")))
      #expect((entry.createdAt, entry.updatedAt) == (1_000, 4_000))
    }
  }

  @Test("Pruning deletes what a file lacks, sections and memberships included")
  func pruning() throws {
    try withTemporaryFolder { folder in
      try withExtendedLifetime(try CatalogStore(in: DataFolder(folder))) { store in
        _ = try store.import(SampleSeed.catalog(), now: 1_000)
        let less = try SampleSeed.catalog(replacing: #""id": "HDF73""#, with: #""id": "H0001""#)
        let summary = try store.import(less, missing: .delete, now: 2_000)
        #expect((summary.created, summary.hidden, summary.deleted) == (1, 0, 1))
        #expect(SeedCatalog(store.snapshot) == less)
      }
      #expect(try SeedCatalog(CatalogStore(in: DataFolder(folder)).snapshot).products[1].id.text == "H0001")
    }
  }

  @Test("A new order is a new version that changes no product")
  func order() throws {
    try withTemporaryFolder { folder in
      let catalog = try SampleSeed.catalog()
      do {
        let store = try CatalogStore(in: DataFolder(folder))
        _ = try store.import(catalog, now: 1_000)
        let entry = try store.snapshot.product(ProductID("HBDEF"))
        let swapped = try SampleSeed.swappingFirstProducts()
        let summary = try store.import(swapped, now: 2_000)
        #expect(summary.unchanged == 3 && summary.hasChanges && store.version == 2)
        #expect(store.snapshot.products.map(\.product.id.text) == ["HDF73", "HBDEF"])
        #expect(try store.snapshot.product(ProductID("HBDEF")) === entry)
      }
      #expect(
        try CatalogStore(in: DataFolder(folder)).snapshot.products.map(\.product.id.text) == ["HDF73", "HBDEF"])
    }
  }

  @Test("The clock may go back; published times do not")
  func clock() throws {
    try withStore { store in
      _ = try store.import(SampleSeed.catalog(replacing: "\"price\": 9900", with: "\"price\": 9500"), now: 5)
      #expect(store.snapshot.publishedAt == 1_000)
      #expect(try store.snapshot.product(ProductID("HDF73"))?.updatedAt == 1_000)
    }
  }
}

/// Runs a test with a store that holds the sample, imported at second 1,000.
func withStore(_ work: (CatalogStore) throws -> Void) throws {
  try withTemporaryFolder { folder in
    let store = try CatalogStore(in: DataFolder(folder))
    _ = try store.import(SampleSeed.catalog(), now: 1_000)
    try work(store)
  }
}
