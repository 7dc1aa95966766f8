import Catalog
import JSON
import Testing

@Suite("The shop's values")
struct ValueTests {
  @Test(
    "Web addresses and paths are pictures",
    arguments: [
      ("images/galbi.jpg", false), ("a", false), ("images/갈비.jpg", false), ("images/a b.jpg", false),
      ("images/..a/b..jpg", false), ("images/a:b.jpg", false), ("http://host/a.jpg", true),
      ("HTTPS://host/a.jpg", true),
      ("https://host:8443/../a.jpg?x=1#y", true), ("https://[::1]/a.jpg", true), ("https://host", true),
    ])
  func accepts(text: String, isAbsolute: Bool) throws {
    let reference = try PictureReference(text)
    #expect(reference.isAbsolute == isAbsolute)
    #expect(reference.bytes == Array(text.utf8))
  }

  @Test(
    "Other schemes, other folders and odd characters are not",
    arguments: [
      "", "/images/a.jpg", "//host/a.jpg", "../a.jpg", "a/../b.jpg", "a/./b.jpg", "a/%2E%2e/b.jpg", "a/.%2e", "..",
      "a\\b.jpg",
      "a\nb.jpg", "a\u{7F}", "a\0", "a\u{85}", "ftp://host/a.jpg", "file:///etc/passwd", "data:image/png;base64,AAAA",
      "javascript:alert(1)", "a:b.jpg", "http://", "https:///a.jpg", "http://:80/a", "http://user:secret@host/a.jpg",
      "http://ho st/a.jpg", "http://host/a\\b.jpg", "http:/host/a.jpg", "http:a.jpg",
      String(repeating: "a", count: 2_049),
    ])
  func refuses(text: String) {
    #expect(throws: JSONRule.self) { try PictureReference(text) }
  }

  @Test("A product makes what equals a default the default, and refuses what breaks a rule")
  func product() throws {
    let image = try PictureReference("images/a.jpg")
    func make(
      alt: String? = nil, listPrice: Int64? = nil, badges: [Badge] = [], types: [DeliveryType]? = nil,
      images: Int? = nil
    ) throws -> Product {
      try Product(
        id: ProductID("A"), section: SectionID("main"), title: "김치", description: "", alt: alt, price: Won(100),
        listPrice: listPrice.map { try Won($0) }, badges: badges, deliveryTypes: types, image: image,
        images: images.map { Array(repeating: image, count: $0) })
    }
    #expect(try make(alt: "\u{1100}\u{1175}\u{11B7}\u{110E}\u{1175}") == make())
    #expect(try make(images: 1) == make())
    #expect(try make(types: [.parcel, .dawn]).deliveryTypes == [.dawn, .parcel])
    #expect(throws: JSONRule.self) { try make(listPrice: 100) }
    #expect(throws: JSONRule.self) { try make(badges: [.best, .best]) }
    #expect(throws: JSONRule.self) { try make(types: []) }
    #expect(throws: JSONRule.self) { try make(images: 0) }
    #expect(throws: JSONRule.self) { try make(images: 6) }
    #expect(throws: JSONRule.self) { try make(alt: "") }
  }

  @Test("Notices come out of their packed form as they went in", arguments: [0, 1, 3])
  func notices(count: Int) throws {
    let notices = try (0..<count).map { try Notice(label: "원산지 \($0)", value: "국산 🌾 \($0)") }
    let list = NoticeList(notices)
    #expect(Array(list) == notices)
    #expect(list.isEmpty == (count == 0))
  }

  @Test("Won have bounds, and commas when written")
  func won() throws {
    #expect(try Won(12_640).grouped == "12,640")
    #expect(throws: JSONRule.self) { try Won(-1) }
    #expect(throws: JSONRule.self) { try Won(1_000_000_001) }
  }

  @Test(
    "Formats are known by their extension",
    arguments: [("JPEG", .jpg), ("jpg", .jpg), ("PNG", .png), ("exe", nil)]
      as [(String, OriginalFormat?)])
  func formats(word: String, format: OriginalFormat?) {
    #expect(OriginalFormat(fileExtension: word) == format)
  }
}
