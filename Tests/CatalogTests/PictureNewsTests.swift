import Catalog
import Testing

@Suite("News of pictures")
struct PictureNewsTests {
  private func facts(_ byte: UInt8, width: Int? = nil) throws -> PictureFacts {
    try #require(
      PictureFacts(
        digest: Array(repeating: byte, count: 32), format: .jpg, width: width, height: width, color: 0xA0_B1_C2,
        placeholder: [1, 2, 3]))
  }

  @Test("The first fetch keeps revision 1; different bytes make the next; the same bytes do not")
  func revisions() throws {
    try withStore { store in
      let galbi = try PictureReference("images/galbi.jpg")
      func state() -> PictureState? { store.snapshot.pictures[galbi]?.state }
      #expect(state() == .unknown)
      #expect(try store.note(pictureNews: [PictureNews(galbi, .stored(facts(1)))])?.version == 2)
      #expect(state()?.revision == 1 && state()?.facts?.digest.first == 1)
      #expect(try store.note(pictureNews: [PictureNews(galbi, .stored(facts(1)))]) == nil)
      #expect(try store.note(pictureNews: [PictureNews(galbi, .stored(facts(1, width: 800)))])?.version == 3)
      #expect(state()?.revision == 1 && state()?.facts?.width == 800)
      try store.note(pictureNews: [
        PictureNews(galbi, .stored(facts(2))), PictureNews(galbi, .stored(facts(3))),
        PictureNews(galbi, .failedForGood("the origin has no such picture")),
      ])
      #expect(store.version == 4)
      #expect(state()?.revision == 3 && state()?.failedForGood == true && state()?.facts?.digest.first == 3)
      try store.note(pictureNews: [PictureNews(galbi, .stored(facts(3)))])
      #expect(state()?.revision == 3 && state()?.failedForGood == false)
    }
  }

  @Test("Only the products that show a picture become new, also when two share it")
  func touches() throws {
    try withStore { store in
      let before = store.snapshot
      try store.note(pictureNews: [PictureNews(try PictureReference("images/galbi-long.jpg"), .stored(facts(1)))])
      let after = store.snapshot
      #expect(try after.product(ProductID("HBDEF")) !== before.product(ProductID("HBDEF")))
      #expect(try after.product(ProductID("HDF73")) === before.product(ProductID("HDF73")))
      #expect(try after.product(ProductID("HBDEF"))?.updatedAt == 1_000)
      #expect(try after.product(ProductID("HBDEF"))?.image === before.product(ProductID("HBDEF"))?.image)
    }
  }

  @Test("A picture that failed for good gives way to the placeholder, whose own news touch everyone")
  func placeholder() throws {
    try withStore { store in
      try store.note(pictureNews: [
        PictureNews(try PictureReference("images/jeyuk.jpg"), .failedForGood("the origin has no such picture"))
      ])
      let entry = try #require(store.snapshot.product(try ProductID("HDF73")))
      #expect(entry.shown(entry.image) === store.snapshot.shop.placeholder)
      try store.note(pictureNews: [PictureNews(try PictureReference("images/placeholder.jpg"), .stored(facts(9)))])
      let next = try #require(store.snapshot.product(try ProductID("HDF73")))
      #expect(next !== entry && next.shown(next.image).state.facts?.digest.first == 9)
    }
  }

  @Test("State survives a restart, and a reference that leaves the catalog and comes back")
  func survives() throws {
    try withTemporaryFolder { folder in
      let jeyuk = try PictureReference("images/jeyuk.jpg")
      let news = [PictureNews(jeyuk, .stored(try facts(1))), PictureNews(jeyuk, .stored(try facts(2, width: 640)))]
      do {
        let store = try CatalogStore(in: DataFolder(folder))
        _ = try store.import(SampleSeed.catalog())
        try store.note(pictureNews: news)
      }
      let store = try CatalogStore(in: DataFolder(folder))
      let state = try #require(store.snapshot.pictures[jeyuk]?.state)
      let expected = try facts(2, width: 640)
      #expect(state.revision == 2 && state.facts == expected)

      _ = try store.import(SampleSeed.catalog(replacing: "images/jeyuk.jpg", with: "images/other.jpg"))
      #expect(store.snapshot.pictures[jeyuk] == nil)
      #expect(
        try store.note(pictureNews: [PictureNews(jeyuk, .failedForGood("the origin has no such picture"))]) == nil)
      _ = try store.import(SampleSeed.catalog())
      #expect(store.snapshot.pictures[jeyuk]?.state == state)
    }
  }

  @Test("Facts that cannot be are none")
  func impossibleFacts() {
    let digest = [UInt8](repeating: 1, count: 32)
    #expect(PictureFacts(digest: [1], format: .jpg) == nil)
    #expect(PictureFacts(digest: digest, format: .jpg, width: 0) == nil)
    #expect(PictureFacts(digest: digest, format: .jpg, height: 65_536) == nil)
    #expect(PictureFacts(digest: digest, format: .jpg, color: 0x100_0000) == nil)
    #expect(PictureFacts(digest: digest, format: .jpg, placeholder: Array(repeating: 0, count: 65)) == nil)
  }

  @Test("Gathered news come out once, in order")
  func gathering() throws {
    let gatherer = PictureNewsGatherer()
    let news = [
      PictureNews(try PictureReference("a"), .failedForGood("the origin has no such picture")),
      PictureNews(try PictureReference("b"), .failedForGood("the origin has no such picture")),
    ]
    for item in news { gatherer.add(item) }
    gatherer.add(news[1])
    #expect(gatherer.take() == news)
    #expect(gatherer.take().isEmpty)
  }
}
