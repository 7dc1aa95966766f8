import Catalog
import Foundation
import Shop
import Testing

/// `Fixtures/schema-1` is a backup that the program of that time made of a small shop, three of whose pictures had failed.
@Suite("A shop of an earlier program")
struct PastSchemaTests {
  private let backup = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/schema-1")
    .path(percentEncoded: false)

  /// The shop as this program opens it.
  private func withShop(_ work: (CatalogStore) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try FileManager.default.copyItem(atPath: "\(backup)/banchan.db", toPath: "\(folder)/banchan.db")
      try work(try CatalogStore(in: DataFolder(folder)))
    }
  }

  @Test("is upgraded with what it knew of its pictures; why some had failed is said as well as it can be")
  func upgrade() throws {
    try withShop { store in
      let snapshot = store.snapshot
      #expect(snapshot.version == 2 && snapshot.publishedAt == 1_796_095_460)
      #expect(snapshot.products.map(\.product.id.description) == ["HBDEF", "HDF73"])
      let galbi = try #require(snapshot.pictures[PictureReference("images/galbi.jpg")])
      #expect(galbi.state.facts?.width == 1_200 && galbi.state.facts?.placeholder != nil && !galbi.state.failedForGood)
      let failed = snapshot.pictures.values.filter(\.state.failedForGood)
      #expect(failed.count == 3)
      #expect(failed.allSatisfy { $0.state.failure == "its origin had no picture when it was last asked" })
    }
  }

  @Test("comes back from its own backup after the upgrade and a change, in a shop of this program")
  func restore() throws {
    try withShop { store in
      let before = store.snapshot.products.map(\.product.title.description)
      _ = try store.import(SampleShop.catalog())
      #expect(store.snapshot.products.map(\.product.title.description) != before)
      let outcome = try Restoration(of: Backup(at: backup), program: "0").carryOut(in: store, verifies: true)
      #expect(outcome.isVerified == true && store.version == 4)
      #expect(store.snapshot.products.map(\.product.title.description) == before)
    }
  }
}
