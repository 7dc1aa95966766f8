import Catalog
import JSON
import Testing

@testable import Shop

@Suite("A sync takes odd data, and says what it made of it")
struct SyncOddityTests {
  /// An item or detail with something odd about it, what is said about that, and what is in the shop then.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let item: [String: String?]
    let detail: [String: String?]
    /// The oddities, in their words.
    let said: [String]
    let check: @Sendable (Product) -> Bool

    init(
      _ what: String, item: [String: String?] = [:], detail: [String: String?] = [:], said: [String],
      _ check: @escaping @Sendable (Product) -> Bool
    ) {
      testDescription = what
      (self.item, self.detail, self.said, self.check) = (item, detail, said, check)
    }
  }

  private static let id = "HBDEF: "
  private static let image = "http://cdn.test/HBDEF.jpg"
  // 오 in single jamo, a plus, a small-lettered escape and a capital one: as object stores of those years wrote them.
  private static let oddURL = "http://cdn.test/%E1%84%8B%E1%85%A9+%ed%95%9C//a.jpg?x=1&&y"

  static let prices = [
    Case(
      "a list price below the price", item: ["n_price": "\"9,000원\""], detail: ["prices": #"["9,000원","12,640원"]"#],
      said: ["the list price 9,000원 is not above the price 12,640원: sold without a list price"]
    ) { $0.listPrice == nil && $0.price.amount == 12_640 },
    Case(
      "a list price equal to the price", item: ["n_price": "\"12,640원\""],
      detail: ["prices": #"["12,640원","12,640원"]"#],
      said: ["the list price 12,640원 is not above the price 12,640원: sold without a list price"]
    ) { $0.listPrice == nil },
    Case(
      "prices without 원 and without commas", item: ["n_price": "\"15,800\"", "s_price": "\"12640\""],
      said: [
        #"s_price is written "12640": taken as 12,640원"#, #"n_price is written "15,800": taken as 15,800원"#,
      ]
    ) { $0.listPrice?.amount == 15_800 && $0.price.amount == 12_640 },
    Case(
      "a price as a number, with a won sign and blanks", item: ["n_price": "15800", "s_price": "\" ₩12,640 원 \""],
      said: [
        #"s_price is written " ₩12,640 원 ": taken as 12,640원"#, "n_price is written 15800: taken as 15,800원",
      ]
    ) { $0.listPrice?.amount == 15_800 && $0.price.amount == 12_640 },
    Case(
      "a list price that is none", item: ["n_price": "\"할인\""], detail: ["prices": #"["12,640원"]"#],
      said: [#"the list price "할인" is no price: sold without a list price"#]
    ) { $0.listPrice == nil },
    Case("a list price of null", item: ["n_price": "null"], detail: ["prices": #"["12,640원"]"#], said: []) {
      $0.listPrice == nil
    },
    Case(
      "a list price alone", item: ["s_price": nil], detail: ["prices": #"["15,800원"]"#],
      said: ["there is a list price and no price: sold for 15,800원"]
    ) { $0.listPrice == nil && $0.price.amount == 15_800 },
    Case(
      "other prices in the detail", detail: ["prices": #"["15,800원","11,000원"]"#],
      said: ["the detail's prices are 15,800원, 11,000원: the list's, 15,800원, 12,640원, are kept"]
    ) { $0.price.amount == 12_640 },
    Case(
      "a detail without prices that can be read", detail: ["prices": #"["싯가"]"#],
      said: ["the detail's prices are none: the list's, 15,800원, 12,640원, are kept"]
    ) { $0.price.amount == 12_640 },
  ]

  static let words = [
    Case(
      "a typo in a badge", item: ["badge": #"["이밴트특가","론칭특가"]"#], said: ["the badge 이밴트특가 is taken as 이벤트특가"]
    ) { $0.badges == [.event, .launch] },
    Case("an unknown badge", item: ["badge": #"["할인특가","메인특가"]"#], said: ["the badge 할인특가 is not known: left out"]) {
      $0.badges == [.main]
    },
    Case(
      "a badge of single jamo", item: ["badge": "[\"\u{1105}\u{1165}\u{11AB}\u{110E}\u{1175}\u{11BC}특가\"]"], said: []
    ) {
      $0.badges == [.launch]
    },
    Case(
      "a badge that would paint on a terminal", item: ["badge": #"["\u001b[2J\u009b31m\u202e\n특가"]"#],
      said: ["the badge ·[2J·31m··특가 is not known: left out"]
    ) { $0.badges.isEmpty },
    Case(
      "a badge of any length", item: ["badge": "[\"\(String(repeating: "가", count: 5_000))\"]"],
      said: ["the badge \(String(repeating: "가", count: 40))… is not known: left out"]
    ) { $0.badges.isEmpty },
    Case("no badge key", item: ["badge": nil], said: []) { $0.badges.isEmpty },
    Case("an empty badge list", item: ["badge": "[]"], said: []) { $0.badges.isEmpty },
    Case("badges of null", item: ["badge": "null"], said: []) { $0.badges.isEmpty },
    Case(
      "a badge as a text", item: ["badge": "\"이벤트특가\""], said: [#"badge is "이벤트특가": taken as a text"#]
    ) { $0.badges == [.event] },
    Case("the sold-out badge", item: ["badge": #"["베스트","품절"]"#], said: []) {
      $0.badges == [.best] && $0.status == .soldOut
    },
    Case("the same badge twice", item: ["badge": #"["론칭특가","런칭특가"]"#], said: []) { $0.badges == [.launch] },
    Case(
      "no way of sending", item: ["delivery_type": "[]"], said: ["no way of sending is named: the shop's is taken"]
    ) { $0.deliveryTypes == nil },
    Case(
      "an unknown way of sending", item: ["delivery_type": #"["로켓배송","전국택배"]"#],
      said: ["the way of sending 로켓배송 is not known: left out"]
    ) { $0.deliveryTypes == [.parcel] },
    Case(
      "a way of sending as a text", item: ["delivery_type": "\"새벽배송\""],
      said: [#"delivery_type is "새벽배송": taken as a text"#]
    ) { $0.deliveryTypes == [.dawn] },
  ]

  static let texts = [
    Case(
      "a title that is too long", item: ["title": "\"\(String(repeating: "가", count: 150))\""],
      said: ["title has more than 100 characters: cut"]
    ) { $0.title == String(repeating: "가", count: 100) },
    Case(
      "a title that ends inside a character", item: ["title": "\"\(String(repeating: "가", count: 98))👨‍👩‍👧\""],
      said: ["title has more than 100 characters: cut"]
    ) { $0.title == String(repeating: "가", count: 98) },
    Case(
      "line breaks and control characters", item: ["description": #""한\r\n그릇\u0007\t뚝딱""#],
      said: ["description has line breaks or control characters: taken out"]
    ) { $0.description == "한 그릇 뚝딱" },
    Case("no title", item: ["title": "\"\""], said: ["there is no title: its alt, HBDEF의 사진, is taken"]) {
      $0.title == "HBDEF의 사진"
    },
    Case("no description in the list", item: ["description": nil], said: []) { $0.description == "오늘 아침에" },
    Case("an alt of another type", item: ["alt": "5"], said: ["alt is 5: passed over"]) { $0.alt == nil },
    Case("text of single jamo", item: ["title": "\"\u{1112}\u{1161}\u{11AB}\""], said: []) {
      $0.title.unicodeScalars.elementsEqual("한".unicodeScalars)
    },
  ]

  static let pictures = [
    Case(
      "an odd address, kept byte for byte", item: ["image": "\"\(oddURL)\""], detail: ["top_image": "\"\(oddURL)\""],
      said: []
    ) { $0.image.bytes == Array(oddURL.utf8) },
    Case(
      "more than five gallery pictures",
      detail: ["thumb_images": "[" + (1...7).map { "\"http://cdn.test/\($0).jpg\"" }.joined(separator: ",") + "]"],
      said: [
        "thumb_images has 7 pictures: the first 5 are taken"
      ]
    ) { $0.images.map(\.description) == (1...5).map { "http://cdn.test/\($0).jpg" } },
    Case(
      "a large picture that nothing else shows", detail: ["top_image": #""http://cdn.test/dead.jpg""#],
      said: ["the detail shows http://cdn.test/dead.jpg first, and the list another picture: the list's is kept"]
    ) { $0.image.description == image && $0.images.count == 2 },
    Case("a gallery of nothing", detail: ["thumb_images": "[]"], said: []) { $0.images.map(\.description) == [image] },
    Case(
      "an address of another scheme", detail: ["detail_section": #"["ftp://cdn.test/1.jpg","https://cdn.test/2.jpg"]"#],
      said: [
        #"detail_section has the address "ftp://cdn.test/1.jpg", which is not fetched (A picture is an http or https URL, "#
          + "or a path such as images/galbi.jpg; no other scheme is fetched.): left out"
      ]
    ) { $0.details.map(\.description) == ["https://cdn.test/2.jpg"] },
    Case(
      "an address that is no whole URL", item: ["image": #""/pictures/1.jpg""#], detail: ["top_image": nil],
      said: [#"image has the address "/pictures/1.jpg": resolved against the upstream's"#]
    ) { $0.image.description == "http://upstream.test/pictures/1.jpg" },
    Case(
      "blanks around an address", item: ["image": "\" \(image)\\n\""],
      said: ["image has blanks around an address: taken without"]
    ) { $0.image.description == image },
    Case(
      "no picture in the list", item: ["image": "\"\""], said: ["the list has no picture: the detail's stands there"]
    ) {
      $0.image.description == image
    },
    Case(
      "a gallery of one text", detail: ["thumb_images": "\"http://cdn.test/9.jpg\""], said: []
    ) { $0.images.map(\.description) == ["http://cdn.test/9.jpg"] },
    Case(
      "pictures that another Banchan offers in several sizes",
      item: ["image": #""http://up.test/images/7k3v9t0q2m4x-1a-thumb.jpg""#],
      detail: [
        "top_image": #""http://up.test/images/7k3v9t0q2m4x-1a-medium.jpg""#,
        "thumb_images": #"["http://up.test/images/7k3v9t0q2m4x-1a-medium.jpg"]"#,
      ], said: []
    ) { product in
      let original = "http://up.test/images/7k3v9t0q2m4x-1a-original.jpg"
      return product.image.description == original && product.images == [product.image]
    },
  ]

  @Test("of one product", arguments: prices + words + texts + pictures)
  func oddity(_ sample: Case) throws {
    let item = UpstreamSample.item("HBDEF").with(sample.item)
    let mirror = try mirror(item, detail: UpstreamSample.data("HBDEF").with(sample.detail))
    let product = try #require(mirror.catalog.products.first)
    #expect(sample.check(product), "\(product)")
    #expect(mirror.oddities.map(\.description) == sample.said.map { Self.id + $0 })
    #expect(mirror.failures.isEmpty)
  }

  @Test("A product as the contract has it is not odd at all")
  func plain() throws {
    let mirror = try mirror(UpstreamSample.item("HBDEF"))
    #expect(mirror.oddities.isEmpty && mirror.failures.isEmpty)
    let product = try #require(mirror.catalog.products.first)
    #expect(product.alt == "HBDEF의 사진" && product.deliveryTypes == nil && product.delivery == nil)
    #expect(product.details.map(\.description) == ["http://cdn.test/HBDEF-d.jpg"])
    #expect(mirror.catalog.shop.freeFrom?.amount == 40_000)
    #expect(mirror.catalog.shop.delivery.info == "서울 새벽배송")
  }

  @Test(
    "What cannot be sold is named and left out",
    arguments: [
      (["s_price": "\"싯가\""], #"its price "싯가" is none"#), (["s_price": nil, "n_price": nil], "it has no price"),
      (["title": nil, "alt": nil], "it has no title"), (["s_price": "\"12,640,000,000원\""], "its price"),
    ] as [([String: String?], String)])
  func unreadable(change: [String: String?], reason: String) throws {
    let mirror = try mirror(UpstreamSample.item("HBDEF").with(change), detail: nil)
    #expect(mirror.catalog.products.isEmpty)
    #expect(mirror.failures.count == 1 && mirror.failures[0].subject == "HBDEF")
    #expect(mirror.failures[0].reason.hasPrefix(reason), "\(mirror.failures)")
  }

  @Test(
    "An entry without an id is no product",
    arguments: [#"{"detail_hash":"한글"}"#, #"{"detail_hash":5}"#, "{}", "[]", #"{"detail_hash":""}"#])
  func nameless(_ json: String) throws {
    let reader = UpstreamProductReader(surface: .onban2022, base: try .init(Array("http://upstream.test/".utf8)))
    #expect(throws: UpstreamProductReader.Unreadable.self) {
      try reader.id(of: try JSONValue(parsing: Array(json.utf8)))
    }
  }

  @Test(
    "A letter's distance tells a typo from another word",
    arguments: [
      ("이밴트특가", "이벤트특가"), ("이벤트 특가", "이벤트특가"), ("메안특가", "메인특가"), ("베스트", "베스트"), ("배스트", "베스트"),
      ("품절", "품절"), ("풍절", nil), ("할인특가", nil), ("신상품", nil), ("", nil), ("event", nil),
    ] as [(String, String?)])
  func typo(word: String, known: String?) {
    #expect(UpstreamWords.badge(word)?.word == known)
  }
}
