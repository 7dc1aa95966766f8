import Catalog
import Images
import Testing

@testable import Shop

@Suite("The list of all pictures")
struct PictureListingTests {
  private let galbi = id("images/galbi.jpg")
  private let jeyuk = id("images/jeyuk.jpg")

  @Test("has each picture that answers show once, in the order of ids, and is all there is to tell at first")
  func whole() throws {
    try withSampleShop { store in
      let listing = PictureListing(store.snapshot)
      let (items, hasMore) = listing.page(since: nil, after: nil, limit: 100)
      #expect(items.count == 7 && !hasMore)
      #expect(items.map(\.id) == items.map(\.id).sorted())
      #expect(Set(items.map(\.id)).contains(galbi) && items.allSatisfy { $0.picture != nil })
      #expect(listing.placeholder == id("images/placeholder.jpg"))
      #expect(listing.isWhole(nil) && listing.isWhole(0) && !listing.isWhole(1))
    }
  }

  @Test("tells who was there in a version what is otherwise since: what came, changed, failed, went, and came back")
  func since() throws {
    try withSampleShop { store in
      let listings = PictureListings()
      #expect(changes(since: 1, listings, store) == [:])

      // 2: the bytes of one picture are known.
      let facts = try #require(PictureFacts(digest: Array(repeating: 1, count: 32), format: .jpg))
      let reference = try PictureReference("images/galbi.jpg")
      _ = try store.note(pictureNews: [PictureNews(reference, .stored(facts))])
      #expect(changes(since: 1, listings, store) == [galbi: true])
      #expect(changes(since: 2, listings, store) == [:])

      // 3: another has failed for good, and so it is no longer shown.
      _ = try store.note(pictureNews: [
        PictureNews(PictureReference("images/jeyuk.jpg"), .failedForGood("the origin has no such picture"))
      ])
      #expect(changes(since: 2, listings, store) == [jeyuk: false])
      #expect(changes(since: 1, listings, store) == [galbi: true, jeyuk: false])

      // 4: a product shows another picture.
      _ = try store.import(SampleShop.catalog(replacing: "images/kimchi.jpg", with: "images/new.jpg"))
      #expect(changes(since: 3, listings, store) == [id("images/kimchi.jpg"): false, id("images/new.jpg"): true])

      // 5: as before.
      _ = try store.import(SampleShop.catalog())
      #expect(changes(since: 4, listings, store) == [id("images/kimchi.jpg"): true, id("images/new.jpg"): false])
      // Who never saw the new one is told that it went, which does no harm.
      #expect(changes(since: 3, listings, store)[id("images/kimchi.jpg")] == true)
    }
  }

  @Test("tells everything to who asks since a version before the start, or one that never was")
  func unknownVersions() throws {
    try withSampleShop { store in
      _ = try store.import(SampleShop.catalog(replacing: "images/kimchi.jpg", with: "images/new.jpg"))
      let listing = PictureListing(store.snapshot)
      for since in [-1, 0, 1, 3, Int64.max] as [Int64] {
        #expect(listing.isWhole(since))
        #expect(listing.page(since: since, after: nil, limit: 100).items.count == 7)
      }
    }
  }

  @Test("comes in pages that make the whole", arguments: [1, 2, 3, 7, 8])
  func pages(limit: Int) throws {
    try withSampleShop { store in
      let listing = PictureListing(store.snapshot)
      var ids: [PictureID] = []
      while true {
        let (items, hasMore) = listing.page(since: nil, after: ids.last, limit: limit)
        #expect(items.count <= limit)
        ids += items.map(\.id)
        if !hasMore { break }
      }
      #expect(ids == listing.page(since: nil, after: nil, limit: 100).items.map(\.id))
    }
  }

  /// Whether each picture that is otherwise than in a version is shown now.
  private func changes(since version: Int64, _ listings: PictureListings, _ store: CatalogStore) -> [PictureID: Bool] {
    let items = listings.listing(of: store.snapshot).page(since: version, after: nil, limit: 100).items
    return items.reduce(into: [:]) { $0[$1.id] = $1.picture != nil }
  }
}

private func id(_ reference: String) -> PictureID { PictureID(reference: Array(reference.utf8)) }

@Suite("A cursor of the manifest")
struct ManifestCursorTests {
  @Test("is read as it was written", arguments: [nil, 0, 12] as [Int64?])
  func roundTrip(since: Int64?) throws {
    let cursor = ManifestCursor(version: 41, since: since, last: PictureID(reference: Array("a".utf8)))
    #expect(ManifestCursor(cursor.text) == cursor)
    let question = try ManifestQuestion(Array("cursor=\(cursor.text)".utf8))
    #expect(question.since == since && question.cursor == cursor)
  }

  @Test(
    "is refused when it is none of ours",
    arguments: [
      "", ".", "1..", "1.2", "x..0123456789ab", "1.x.0123456789ab", "1..0123456789abc", "1..0123456789a\u{301}",
      "-1..0123456789ab", "99999999999999999999..0123456789ab",
    ])
  func refused(text: String) { #expect(ManifestCursor(text) == nil) }

  @Test("does not go with another version than its own, nor does anything go twice")
  func contradictions() {
    for query in [
      "since=1&since=1", "since=", "since=%2B1", "since=4&cursor=9.3.0123456789ab",
      "cursor=1..0123456789ab&cursor=1..0123456789ab",
    ] {
      #expect(throws: Problem.self, "\(query)") { try ManifestQuestion(Array(query.utf8)) }
    }
    #expect(throws: Never.self) { try ManifestQuestion(Array("since=3&cursor=9.3.0123456789ab".utf8)) }
  }
}
