import Catalog
import JSON
import Testing

@testable import Shop

@Suite("The native API's answers")
struct NativeViewTests {
  let view = NativeView()
  let base = PublicBase(isEncrypted: false, authority: Array("shop.test:8080".utf8))

  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  private static let image = #"""
    {"id":"h3b6zpsa1k25","alt":"윤기 나는 갈비","width":null,"height":null,"color":null,"placeholder":null,"urls":{"thumb":"http://shop.test:8080/images/h3b6zpsa1k25-1a-thumb.jpg","medium":"http://shop.test:8080/images/h3b6zpsa1k25-1a-medium.jpg","large":"http://shop.test:8080/images/h3b6zpsa1k25-1a-large.jpg","original":"http://shop.test:8080/images/h3b6zpsa1k25-1a-original.jpg"}}
    """#

  private static let summary = #"""
    "id":"HBDEF","section":"main","title":"소갈비찜","description":"푹 \\졸인\\ 갈비/찜","price":{"amount":12640,"currency":"KRW","text":"12,640원"},"listPrice":{"amount":15800,"currency":"KRW","text":"15,800원"},"discountPercent":20,"badges":[{"id":"launch","text":"론칭특가"},{"id":"best","text":"베스트"}],"deliveryTypes":[{"id":"dawn","text":"새벽배송"},{"id":"parcel","text":"전국택배"}],"status":"onSale","stock":12,"image":\#(image),"href":"/api/v1/products/HBDEF"
    """#

  @Test("A detail is a summary and the rest, byte for byte")
  func detail() throws {
    try withSampleShop { store in
      let second = Self.image.replacing("h3b6zpsa1k25", with: "26dr28gcdx7n").replacing(
        "original.jpg", with: "original.png")
      let long = Self.image.replacing("h3b6zpsa1k25", with: "h4c31q6617cz").replacing(
        "original.jpg", with: "original.webp")
      #expect(
        text(view.product(Array("HBDEF".utf8), store.snapshot, base: base)) == #"""
          {"version":1,"product":{\#(Self.summary),"images":[\#(Self.image),\#(second)],"details":[\#(long)],"notices":[{"label":"원산지","value":"미국산"},{"label":"내용량","value":"600g"}],"points":126,"delivery":{"info":"서울 새벽배송","fee":"2,500원 (40,000원 이상 구매 시 무료)","freeFrom":40000},"createdAt":"2024-03-01T09:30:00Z","updatedAt":"2024-03-01T09:30:00Z"}}
          """#)
    }
  }

  @Test("What is unknown is null, and what a product leaves to the shop is the shop's")
  func defaults() throws {
    try withSampleShop { store in
      let body = try #require(view.product(Array("kimchi_01-A".utf8), store.snapshot, base: base))
      let product = try #require(try JSONValue(parsing: body)[pointer: JSONPointer(tokens: ["product"])])
      func value(_ pointer: String) -> JSONValue? { JSONPointer(pointer).flatMap { product[pointer: $0] } }
      #expect(value("/listPrice") == .null && value("/discountPercent") == .null && value("/stock") == .null)
      #expect(value("/badges") == .array([]) && value("/notices") == .array([]) && value("/details") == .array([]))
      #expect(value("/price/text") == .string("0원") && value("/points") == .integer(0))
      #expect(value("/image/alt") == .string("배추김치") && value("/images/0") == value("/image"))
      #expect(value("/delivery/info") == .string("서울 새벽배송"))
    }
  }

  @Test(
    "The discount is rounded down",
    arguments: [(11_520, 14_800, 22), (99, 100, 1), (100, 101, 0), (0, 100, 100), (1, 3, 66)] as [(Int64, Int64, Int64)]
  )
  func discount(price: Int64, listPrice: Int64, percent: Int64) throws {
    let product = try Product(
      id: ProductID("A"), section: SectionID("main"), title: "김", description: "", price: Won(price),
      listPrice: Won(listPrice), image: PictureReference("a.jpg"))
    #expect(product.discountPercent == percent)
  }

  @Test("The catalog groups products by section and collection, and shows nothing hidden")
  func catalog() throws {
    try withSampleShop { store in
      let answer = try JSONValue(parsing: view.catalog(store.snapshot, base: base))
      func value(_ pointer: String) -> JSONValue? { JSONPointer(pointer).flatMap { answer[pointer: $0] } }
      #expect(value("/shop") == .object(["name": .string("맛나 \"반찬\"")]))
      let counts = (0..<4).map { value("/sections/\($0)/productCount") }
      #expect(counts == [.integer(2), .integer(1), .integer(1), .integer(1)])
      #expect(value("/sections/2/products/0/id") == .string("HBBCC") && value("/sections/2/products/1") == nil)
      #expect(value("/collections/0/products/1/id") == .string("HBDEF") && value("/collections/0/products/2") == nil)
      #expect(value("/collections/1/products") == .array([]))
      #expect(value("/collections/0/products/1") == value("/sections/0/products/0"))
    }
  }

  @Test("An answer's outer keys stand in the schema's order")
  func order() throws {
    try withSampleShop { store in
      let summary = "{\(Self.summary)}"
      let section = try #require(text(view.section(Array("main".utf8), store.snapshot, base: base)))
      let head = #"{"id":"main","name":"메인반찬","title":"한그릇 뚝딱","productCount":2,"href":"/api/v1/sections/main""#
      #expect(section.hasPrefix(#"{"version":1,"section":\#(head),"products":[\#(summary),{"id":"HDF73","#))
      let sections = try #require(text(view.sections(store.snapshot, base: base)))
      #expect(sections.hasPrefix(#"{"version":1,"sections":[\#(head)},{"id":"soup","#))
      let catalog = try #require(text(view.catalog(store.snapshot, base: base)))
      #expect(
        catalog.hasPrefix(#"{"version":1,"shop":{"name":"맛나 \"반찬\""},"sections":[\#(head),"products":[\#(summary),"#))
      #expect(catalog.hasSuffix(#""href":"/api/v1/products/HBDEF"}]},{"id":"17011000","name":"빈","products":[]}]}"#))
      #expect(catalog.contains(#"]}],"collections":[{"id":"17011200","name":"할인특가 세트상품","products":[{"id":"H72C3","#))
    }
  }

  @Test("What is hidden or was never there is nothing", arguments: ["H077F", "HNONE", "hbdef", "", "H BDEF", "\u{0}"])
  func nothing(id: String) throws {
    try withSampleShop { store in
      #expect(view.product(Array(id.utf8), store.snapshot, base: base) == nil)
      #expect(view.section(Array(id.utf8), store.snapshot, base: base) == nil)
      #expect(view.product([0xFF], store.snapshot, base: base) == nil)
    }
  }

  @Test("An empty shop has empty answers")
  func emptyShop() throws {
    try withTemporaryFolder { folder in
      let snapshot = try CatalogStore(in: DataFolder(folder)).snapshot
      #expect(text(view.sections(snapshot, base: base)) == #"{"version":0,"sections":[]}"#)
      #expect(
        text(view.catalog(snapshot, base: base))
          == #"{"version":0,"shop":{"name":"반찬"},"sections":[],"collections":[]}"#)
    }
  }

  @Test("What is known of a picture is shown, and a new revision makes a new name")
  func pictureState() throws {
    try withSampleShop { store in
      let galbi = try PictureReference("images/galbi.jpg")
      func facts(_ byte: UInt8) throws -> PictureFacts {
        try #require(
          PictureFacts(
            digest: Array(repeating: byte, count: 32), format: .png, width: 800, height: 600, color: 0x0A_0B0C,
            placeholder: [0xFB, 0xFF, 1]))
      }
      try store.note(pictureNews: [PictureNews(galbi, .stored(facts(1))), PictureNews(galbi, .stored(facts(2)))])
      let answer = try #require(text(view.product(Array("HBDEF".utf8), store.snapshot, base: base)))
      #expect(
        answer.contains(
          ##""image":{"id":"h3b6zpsa1k25","alt":"윤기 나는 갈비","width":800,"height":600,"color":"#0a0b0c","placeholder":"+/8B","##
        ))
      #expect(answer.contains(#"/images/h3b6zpsa1k25-2a-thumb.jpg""#))
      #expect(answer.contains(#"/images/h3b6zpsa1k25-2a-original.png""#))
    }
  }

  @Test("A picture that failed for good is the placeholder, under the placeholder's name")
  func failedPicture() throws {
    try withSampleShop { store in
      try store.note(pictureNews: [
        PictureNews(try PictureReference("images/galbi.jpg"), .failedForGood("the origin has no such picture"))
      ])
      let answer = try #require(text(view.product(Array("HBDEF".utf8), store.snapshot, base: base)))
      #expect(!answer.contains("h3b6zpsa1k25"))
      #expect(answer.contains(#""image":{"id":"436kjkmaq4zg","alt":"윤기 나는 갈비","width":null"#))
      #expect(answer.contains("/images/26dr28gcdx7n-1a-original.png"))
    }
  }

  @Test("A rendering is kept with its entry, made once for all hosts, and made anew when the entry changes")
  func keeping() throws {
    try withSampleShop { store in
      let first = try #require(store.snapshot.product(try ProductID("HBDEF")))
      let other = try #require(store.snapshot.product(try ProductID("HDF73")))
      let piece = NativeProduct.summary(of: first)
      let otherPiece = NativeProduct.summary(of: other)
      let secure = PublicBase(isEncrypted: true, authority: Array("b.test".utf8))
      let list = try #require(text(view.section(Array("main".utf8), store.snapshot, base: secure)))
      #expect(list.contains("https://b.test/images/h3b6zpsa1k25-1a-thumb.jpg") && !list.contains("shop.test"))
      #expect(NativeProduct.summary(of: first) === piece)

      _ = try store.import(SampleShop.catalog(replacing: "12640", with: "12000"), now: SampleShop.time + 60)
      let changed = try #require(store.snapshot.product(try ProductID("HBDEF")))
      #expect(NativeProduct.summary(of: changed) !== piece)
      let kept = try #require(store.snapshot.product(try ProductID("HDF73")))
      #expect(NativeProduct.summary(of: kept) === otherPiece)
      let answer = try #require(text(view.product(Array("HBDEF".utf8), store.snapshot, base: base)))
      #expect(answer.contains(#""createdAt":"2024-03-01T09:30:00Z","updatedAt":"2024-03-01T09:31:00Z""#))
    }
  }
}
