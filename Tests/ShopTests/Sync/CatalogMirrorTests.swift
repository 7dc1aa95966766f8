import Catalog
import JSON
import Testing

@testable import Shop

@Suite("A mirror is laid over what the shop knew")
struct CatalogMirrorTests {
  /// A shop with what no surface can say: notices, stock, a sold-out mark, a badge that 2022 does not know.
  private static let known = """
    {"shop": {"name": "맛나", "placeholder": "images/placeholder.jpg",
      "delivery": {"types": ["parcel"], "info": "이틀 안에", "fee": "무료", "freeFrom": null}},
     "sections": [{"id": "main", "name": "메인", "title": "메인 요리"}, {"id": "soup", "name": "국", "title": ""},
      {"id": "kimchi", "name": "김치", "title": ""}],
     "products": [
      {"id": "HBDEF", "section": "main", "title": "갈비", "description": "", "price": 100, "badges": ["main", "best"],
       "status": "soldOut", "stock": 7, "image": "http://cdn.test/old.jpg",
       "images": ["http://cdn.test/old.jpg", "http://cdn.test/old-2.jpg"], "details": ["http://cdn.test/old-d.jpg"],
       "notices": [{"label": "원산지", "value": "국산"}]},
      {"id": "HDF73", "section": "main", "title": "잡채", "description": "", "price": 200,
       "image": "http://cdn.test/japchae.jpg"},
      {"id": "H72C3", "section": "soup", "title": "미역국", "description": "", "price": 300,
       "image": "http://cdn.test/miyeok.jpg"},
      {"id": "HGONE", "section": "soup", "title": "숨은 국", "description": "", "price": 300, "status": "hidden",
       "image": "http://cdn.test/gone.jpg"},
      {"id": "HKIMC", "section": "kimchi", "title": "김치", "description": "", "price": 400,
       "image": "http://cdn.test/kimchi.jpg"}],
     "collections": [{"id": "1", "name": "모음", "products": ["HBDEF", "HKIMC"]}]}
    """

  private func knownCatalog() throws -> SeedCatalog { try SeedFile.read(Array(Self.known.utf8)) }

  /// A harvest of items by section; a section without items is one whose list failed.
  private func harvest(
    _ sections: [(String, [SampleObject]?)], details: [String: SampleObject] = [:],
    best: Harvest.Best = .collections([]), loose: [SampleObject] = [], surface: CompatibleSurface = .onban2022
  ) throws -> Harvest {
    let reader = UpstreamProductReader(surface: surface, base: try .init(Array("http://upstream.test/".utf8)))
    var harvest = Harvest(surface: surface)
    func listing(_ item: SampleObject) throws -> UpstreamListing {
      let entry = try JSONValue(parsing: Array(item.json.utf8))
      let id = try reader.id(of: entry)
      guard let read = try? reader.item(id, entry, notes: &harvest.notes) else { return .unreadable(id) }
      return .item(read)
    }
    for (id, items) in sections {
      harvest.sections.append(HarvestedSection(id: try SectionID(id), listings: try items?.map(listing)))
    }
    harvest.loose = try loose.map(listing)
    harvest.best = best
    for (hash, data) in details {
      let value = try JSONValue(parsing: Array(UpstreamSample.detail(hash, data).utf8))
      harvest.details[try ProductID(hash)] = try reader.detail(of: try ProductID(hash), value, notes: &harvest.notes)
    }
    return harvest
  }

  private func product(_ id: String, in mirror: CatalogMirror) -> Product? {
    mirror.catalog.products.first { $0.id.text == id }
  }

  @Test("What the surface has no words for stays")
  func unspoken() throws {
    let harvest = try harvest(
      [("main", [UpstreamSample.item("HBDEF").with(["badge": "[]"])])], details: ["HBDEF": UpstreamSample.data("HBDEF")]
    )
    let product = try #require(product("HBDEF", in: try CatalogMirror(harvest, over: knownCatalog())))
    #expect(product.stock == 7 && product.status == .soldOut && product.badges == [.best])
    #expect(product.notices.map(\.value) == ["국산"])
    #expect(product.title == "HBDEF 반찬" && product.images.count == 2)
  }

  @Test("A surface that knows the words has the last one")
  func spoken() throws {
    let harvest = try harvest(
      [("main", [UpstreamSample.item("HBDEF").with(["badge": "[]", "n_price": nil])])], surface: .woowa2018)
    let product = try #require(product("HBDEF", in: try CatalogMirror(harvest, over: knownCatalog())))
    #expect(product.status == .onSale && product.badges == [.main])
  }

  @Test("A product whose detail failed keeps the one it has, and a new one is taken as its list has it")
  func failedDetail() throws {
    let harvest = try harvest([("main", [UpstreamSample.item("HBDEF"), UpstreamSample.item("HNEW1")])])
    let mirror = try CatalogMirror(harvest, over: knownCatalog())
    let old = try #require(product("HBDEF", in: mirror))
    #expect(old.price.amount == 12_640 && old.image.description == "http://cdn.test/HBDEF.jpg")
    #expect(old.images.map(\.description) == ["http://cdn.test/old.jpg", "http://cdn.test/old-2.jpg"])
    #expect(old.details.map(\.description) == ["http://cdn.test/old-d.jpg"])
    let new = try #require(product("HNEW1", in: mirror))
    #expect(new.images == [new.image] && new.details.isEmpty && new.delivery == nil)
  }

  @Test("A product that cannot be read any more stays as it is")
  func unreadable() throws {
    let harvest = try harvest([("main", [UpstreamSample.item("HBDEF").with(["s_price": "\"?\""])])])
    let mirror = try CatalogMirror(harvest, over: knownCatalog())
    #expect(product("HBDEF", in: mirror) == (try knownCatalog()).products.first)
    // The other one is really gone from the list.
    #expect(product("HDF73", in: mirror) == nil)
  }

  @Test("A section whose list failed keeps its products, hidden ones hidden")
  func failedSection() throws {
    let harvest = try harvest([("main", [UpstreamSample.item("HBDEF")]), ("soup", nil)])
    let mirror = try CatalogMirror(harvest, over: knownCatalog())
    #expect(mirror.catalog.products.map(\.id.text) == ["HBDEF", "H72C3", "HGONE"])
    #expect(product("HGONE", in: mirror)?.status == .hidden)
    #expect(mirror.catalog.sections.map(\.name) == ["메인", "국"])
  }

  @Test("A product that moved out of a section whose list failed stands where it is listed")
  func moved() throws {
    let harvest = try harvest([("soup", nil), ("side", [UpstreamSample.item("H72C3")])])
    let mirror = try CatalogMirror(harvest, over: knownCatalog())
    #expect(product("H72C3", in: mirror)?.section.text == "side")
    #expect(mirror.catalog.products.count { $0.id.text == "H72C3" } == 1)
  }

  @Test("Where the collections could not be read, they and what stands only in them stay")
  func unknownCollections() throws {
    let harvest = try harvest([("main", [UpstreamSample.item("HBDEF")]), ("soup", [])], best: .unknown)
    let mirror = try CatalogMirror(harvest, over: knownCatalog())
    #expect(mirror.catalog.products.map(\.id.text) == ["HBDEF", "HKIMC"])
    #expect(mirror.catalog.collections.map { $0.products.map(\.text) } == [["HBDEF", "HKIMC"]])
    #expect(mirror.catalog.sections.map(\.id.text) == ["main", "soup", "kimchi"])
  }

  @Test("Where a surface has no collections, the shop's stay, without what is gone")
  func noCollections() throws {
    let harvest = try harvest([("main", [UpstreamSample.item("HBDEF")])], best: .unspoken, surface: .woowa2018)
    let mirror = try CatalogMirror(harvest, over: knownCatalog())
    #expect(mirror.catalog.collections.map { $0.products.map(\.text) } == [["HBDEF"]])
  }

  @Test("What stands only among the best keeps its section, and has one of its own when it is new")
  func loose() throws {
    let members = try ["HKIMC", "HNEW1", "HBDEF"].map { try ProductID($0) }
    let collection = HarvestedCollection(id: try CollectionID("17011200"), name: "할인특가", products: members)
    let harvest = try harvest(
      [("main", [UpstreamSample.item("HBDEF")])], best: .collections([collection]),
      loose: [UpstreamSample.item("HKIMC"), UpstreamSample.item("HNEW1")])
    let mirror = try CatalogMirror(harvest, over: knownCatalog())
    #expect(product("HKIMC", in: mirror)?.section.text == "kimchi")
    #expect(product("HNEW1", in: mirror)?.section.text == "best")
    #expect(mirror.catalog.sections.map(\.id.text) == ["main", "kimchi", "best"])
    #expect(mirror.catalog.collections.map { $0.products.map(\.text) } == [["HKIMC", "HNEW1", "HBDEF"]])
    #expect(
      mirror.oddities.map(\.description).contains(
        "HNEW1: stands among the best and in no section: put into the section best"))
  }

  @Test("Two products with one picture are told once, and keep it")
  func shared() throws {
    let items = ["HBDEF", "HDF73"].map { UpstreamSample.item($0).with(["image": #""http://cdn.test/one.jpg""#]) }
    let mirror = try CatalogMirror(try harvest([("main", items)]), over: nil)
    #expect(mirror.oddities.map(\.description) == ["HDF73: has the same list picture as HBDEF: kept for both"])
    #expect(Set(mirror.catalog.products.map(\.image)).count == 1)
  }

  @Test("What most products say about delivery is the shop's word, and the others keep theirs")
  func delivery() throws {
    let items = ["HBDEF", "HDF73", "H72C3"].map(UpstreamSample.item)
    var details = Dictionary(uniqueKeysWithValues: ["HBDEF", "HDF73", "H72C3"].map { ($0, UpstreamSample.data($0)) })
    details["HDF73"] = UpstreamSample.data("HDF73").with(["delivery_fee": "\"무료\""])
    let mirror = try CatalogMirror(try harvest([("main", items)], details: details), over: knownCatalog())
    #expect(mirror.catalog.shop.delivery.fee == "2,500원 (40,000원 이상 구매 시 무료)")
    #expect(mirror.catalog.shop.freeFrom?.amount == 40_000 && mirror.catalog.shop.name == "맛나")
    #expect(mirror.catalog.products.map { $0.delivery?.fee } == [nil, "무료", nil])
  }

  @Test("A product that stays says for itself what the shop said for it before")
  func keptDelivery() throws {
    let items = ["HBDEF", "HDF73"].map(UpstreamSample.item)
    let details = Dictionary(uniqueKeysWithValues: ["HBDEF", "HDF73"].map { ($0, UpstreamSample.data($0)) })
    let mirror = try CatalogMirror(
      try harvest([("main", items), ("kimchi", nil)], details: details), over: knownCatalog())
    #expect(mirror.catalog.shop.delivery.info == "서울 새벽배송")
    #expect(product("HKIMC", in: mirror)?.delivery?.info == "이틀 안에")
  }

  @Test("A new shop is told what was chosen for it")
  func newShop() throws {
    let mirror = try CatalogMirror(try harvest([("main", [UpstreamSample.item("HBDEF")])]), over: nil)
    #expect(mirror.catalog.shop.placeholder.description == "http://cdn.test/HBDEF.jpg")
    #expect(
      mirror.remarks == [
        "the shop is new: it is called 반찬, and the picture of HBDEF stands where another has failed for good"
      ])
    #expect(mirror.catalog.sections.map(\.title) == ["한그릇 뚝딱 메인 요리"])
    #expect(try CatalogMirror(try harvest([("main", [])]), over: nil).catalog.products.isEmpty)
  }

  @Test(
    "The sum from which delivery is free is read out of the fee",
    arguments: [
      ("2,500원 (40,000원 이상 구매 시 무료)", 40_000), ("무료", nil), ("2,500원", nil), ("원 이상 무료", nil), ("", nil),
      ("9999999999999999999999원 이상 무료", nil), ("3000원, 30000원 이상 무료배송", 30_000),
    ] as [(String, Int64?)])
  func freeLimit(fee: String, limit: Int64?) {
    #expect(MirroredProductMaker.freeLimit(in: fee)?.amount == limit)
  }

  @Test("The same harvest over its own mirror is the same catalog")
  func stable() throws {
    let items = ["HBDEF", "HDF73", "HNEW1"].map(UpstreamSample.item)
    let harvest = try harvest(
      [("main", items), ("soup", nil)], details: ["HBDEF": UpstreamSample.data("HBDEF")], best: .unknown)
    let first = try CatalogMirror(harvest, over: knownCatalog()).catalog
    #expect(try CatalogMirror(harvest, over: first).catalog == first)
    let fresh = try CatalogMirror(harvest, over: nil).catalog
    #expect(try CatalogMirror(harvest, over: fresh).catalog == fresh)
  }
}
