import Catalog
import JSON
import Testing

@testable import Shop

@Suite("The compatible surfaces")
struct SurfaceTests {
  let base = PublicBase(isEncrypted: false, authority: Array("shop.test".utf8))

  private func render(
    _ surface: CompatibleSurface, _ answer: CompatibleSurface.Answer, _ parameters: [String] = [], _ store: CatalogStore
  ) -> String? {
    surface.render(answer, parameters: parameters.map { Array($0.utf8) }, store.snapshot, base: base)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: 2022

  private static let galbi = #"""
    {"detail_hash":"HBDEF","image":"http://shop.test/images/h3b6zpsa1k25-1a-thumb.jpg","alt":"윤기 나는 갈비","delivery_type":["새벽배송","전국택배"],"title":"소갈비찜","description":"푹 \\졸인\\ 갈비/찜","n_price":"15,800원","s_price":"12,640원","badge":["런칭특가"]}
    """#
  private static let jeyuk = #"""
    {"detail_hash":"HDF73","image":"http://shop.test/images/62jjhx7aq326-1a-thumb.jpg","alt":"제육볶음","delivery_type":["새벽배송","전국택배"],"title":"제육볶음","description":"","n_price":"14,800원","s_price":"11,520원","badge":[]}
    """#
  private static let miyeok = #"""
    {"detail_hash":"H72C3","image":"http://shop.test/images/x79n45ms3qhp-1a-thumb.jpg","alt":"미역국","delivery_type":["전국택배"],"title":"미역국","description":"맑은 국","s_price":"990원","badge":["이벤트특가","메인특가"]}
    """#
  private static let kongnamul = #"""
    {"detail_hash":"HBBCC","image":"http://shop.test/images/h3b6zpsa1k25-1a-thumb.jpg","alt":"콩나물","delivery_type":["새벽배송","전국택배"],"title":"콩나물","description":"","s_price":"1,000,000원"}
    """#
  private static let kimchi = #"""
    {"detail_hash":"kimchi_01-A","image":"http://shop.test/images/w2ye38e6fkpz-1a-thumb.jpg","alt":"배추김치","delivery_type":["새벽배송","전국택배"],"title":"배추김치","description":"","s_price":"0원"}
    """#

  @Test(
    "The lists of 2022 are an envelope of items, byte for byte",
    arguments: [
      ("main", [galbi, jeyuk]), ("soup", [miyeok]), ("side", [kongnamul]), ("kimchi", [kimchi]),
    ])
  func onbanLists(section: String, items: [String]) throws {
    try withSampleShop { store in
      let body = items.joined(separator: ",")
      #expect(render(.onban2022, .items, [section], store) == #"{"statusCode":200,"body":[\#(body)]}"#)
    }
  }

  @Test("An item of 2022 stands alone under its own section")
  func onbanItem() throws {
    try withSampleShop { store in
      #expect(render(.onban2022, .item, ["main", "HBDEF"], store) == Self.galbi)
      for (section, id) in [("soup", "HBDEF"), ("main", "HNONE"), ("none", "HBDEF"), ("side", "H077F"), ("", "")] {
        #expect(render(.onban2022, .item, [section, id], store) == nil)
      }
    }
  }

  private static let galbiDetail = #"""
    {"hash":"HBDEF","data":{"top_image":"http://shop.test/images/h3b6zpsa1k25-1a-medium.jpg","thumb_images":["http://shop.test/images/h3b6zpsa1k25-1a-medium.jpg","http://shop.test/images/26dr28gcdx7n-1a-medium.jpg"],"product_description":"푹 \\졸인\\ 갈비/찜","point":"126원","delivery_info":"서울 새벽배송","delivery_fee":"2,500원 (40,000원 이상 구매 시 무료)","prices":["15,800원","12,640원"],"detail_section":["http://shop.test/images/h4c31q6617cz-1a-large.jpg"]}}
    """#
  private static let kongnamulDetail = #"""
    {"hash":"HBBCC","data":{"top_image":"http://shop.test/images/h3b6zpsa1k25-1a-medium.jpg","thumb_images":["http://shop.test/images/h3b6zpsa1k25-1a-medium.jpg"],"product_description":"","point":"10,000원","delivery_info":"서울 새벽배송","delivery_fee":"2,500원 (40,000원 이상 구매 시 무료)","prices":["1,000,000원"],"detail_section":[]}}
    """#

  @Test(
    "A detail of 2018, 2020 and 2022 is bare and has all eight keys",
    arguments: ["woowa2018", "baminchan2020", "onban2022"])
  func details(name: String) throws {
    let surface = try #require(CompatibleSurface.all.first { $0.name == name })
    try withSampleShop { store in
      #expect(render(surface, .detail, ["HBDEF"], store) == Self.galbiDetail)
      #expect(render(surface, .detail, ["HBBCC"], store) == Self.kongnamulDetail)
      #expect(
        render(surface, .detail, ["H72C3"], store)?.contains(#""delivery_info":"이틀 안에","delivery_fee":"무료""#) == true)
      #expect(render(surface, .detail, ["H077F"], store) == nil)
    }
  }

  @Test("All details come in one envelope, in the shop's order")
  func allDetails() throws {
    try withSampleShop { store in
      let answer = try #require(render(.onban2022, .details, [], store))
      #expect(answer.hasPrefix(#"{"statusCode":200,"body":[\#(Self.galbiDetail),{"hash":"HDF73""#))
      let value = try JSONValue(parsing: Array(answer.utf8))
      let hashes = (0..<6).map { value[pointer: JSONPointer(tokens: ["body", String($0), "hash"])] }
      #expect(hashes == ["HBDEF", "HDF73", "H72C3", "HBBCC", "kimchi_01-A"].map { JSONValue.string($0) } + [nil])
    }
  }

  @Test("The best are the collections with their items")
  func best() throws {
    try withSampleShop { store in
      #expect(
        render(.onban2022, .best, [], store) == #"""
          {"statusCode":200,"body":[{"category_id":"17011200","name":"할인특가 세트상품","items":[\#(Self.miyeok),\#(Self.galbi)]},{"category_id":"17011000","name":"빈","items":[]}]}
          """#)
    }
  }

  @Test("One collection is bare on every surface, whatever surrounds the lists; an unknown one is not there")
  func collection() throws {
    try withSampleShop { store in
      let bare = #"{"category_id":"17011200","name":"할인특가 세트상품","items":[\#(Self.miyeok),\#(Self.galbi)]}"#
      #expect(render(.onban2022, .collection, ["17011200"], store) == bare)
      for surface in [CompatibleSurface.woowa2018, .baminchan2020, .onban2022] {
        let all = try #require(render(surface, .best, [], store))
        #expect(try all.contains(#require(render(surface, .collection, ["17011200"], store))))
        let empty = #"{"category_id":"17011000","name":"빈","items":[]}"#
        #expect(render(surface, .collection, ["17011000"], store) == empty)
        #expect(render(surface, .collection, ["17019999"], store) == nil)
      }
      #expect(render(.woowa2018, .best, [], store)?.hasPrefix("[{") == true)
      #expect(render(.woowa2018, .details, [], store)?.hasPrefix(#"[{"hash":"HBDEF","data":{"#) == true)
    }
  }

  // MARK: 2018 and 2020

  @Test("In 2018 lists are bare, list prices have no 원, and soup and side show an empty badge list")
  func woowa() throws {
    try withSampleShop { store in
      #expect(
        render(.woowa2018, .itemsOf("main"), [], store) == "["
          + Self.galbi.replacing("15,800원", with: "15,800").replacing(#"["런칭특가"]"#, with: #"["론칭특가","베스트"]"#) + ","
          + Self.jeyuk.replacing("14,800원", with: "14,800").replacing(#""badge":[]"#, with: #""badge":["베스트"]"#) + "]")
      #expect(render(.woowa2018, .items, ["soup"], store)?.contains(#""badge":["이벤트특가"]}"#) == true)
      #expect(
        render(.woowa2018, .items, ["side"], store)?.hasSuffix(#""s_price":"1,000,000원","badge":["품절"]}]"#) == true)
      _ = try store.import(SampleShop.catalog(replacing: #""status": "soldOut","#, with: ""))
      #expect(render(.woowa2018, .items, ["side"], store)?.hasSuffix(#""s_price":"1,000,000원","badge":[]}]"#) == true)
      #expect(render(.woowa2018, .items, ["kimchi"], store)?.hasSuffix(#""s_price":"0원"}]"#) == true)
    }
  }

  @Test("In 2020 list prices have no 원, and two badges are known")
  func baminchan() throws {
    try withSampleShop { store in
      let answer = try #require(render(.baminchan2020, .items, ["main"], store))
      #expect(
        answer == #"{"statusCode":200,"body":["#
          + Self.galbi.replacing("15,800원", with: "15,800").replacing("런칭특가", with: "론칭특가") + ","
          + Self.jeyuk.replacing("14,800원", with: "14,800") + "]}")
      #expect(render(.baminchan2020, .items, ["soup"], store)?.contains(#""badge":["이벤트특가"]}"#) == true)
    }
  }

  @Test("The seed team's sections are categories, and its keys are camelCase")
  func team() throws {
    try withSampleShop { store in
      #expect(
        render(.team2020, .categories, [], store) == #"""
          [{"name":"메인반찬","description":"한그릇 뚝딱","path":"main"},{"name":"국・찌개","description":"","path":"soup"},{"name":"밑반찬","description":"든든한","path":"side"},{"name":"김치","description":"아삭한","path":"kimchi"}]
          """#)
      #expect(
        render(.team2020, .category, ["main"], store) == #"""
          {"name":"메인반찬","description":"한그릇 뚝딱","banchan":[{"id":"HBDEF","image":"http://shop.test/images/h3b6zpsa1k25-1a-thumb.jpg","alt":"윤기 나는 갈비","deliveryTypes":["새벽배송","전국택배"],"title":"소갈비찜","description":"푹 \\졸인\\ 갈비/찜","originalPrice":"15,800","finalPrice":"12,640원","badges":["론칭특가"]},{"id":"HDF73","image":"http://shop.test/images/62jjhx7aq326-1a-thumb.jpg","alt":"제육볶음","deliveryTypes":["새벽배송","전국택배"],"title":"제육볶음","description":"","originalPrice":"14,800","finalPrice":"11,520원"}]}
          """#)
      #expect(
        render(.team2020, .detail, ["HBDEF"], store) == #"""
          {"id":"HBDEF","topImage":"http://shop.test/images/h3b6zpsa1k25-1a-medium.jpg","alt":"윤기 나는 갈비","thumbImages":["http://shop.test/images/h3b6zpsa1k25-1a-medium.jpg","http://shop.test/images/26dr28gcdx7n-1a-medium.jpg"],"detailImages":["http://shop.test/images/h4c31q6617cz-1a-large.jpg"],"deliveryInfo":"서울 새벽배송","deliveryFee":"2,500원 (40,000원 이상 구매 시 무료)","title":"소갈비찜","description":"푹 \\졸인\\ 갈비/찜","point":"126원","originalPrice":"15,800원","finalPrice":"12,640원"}
          """#)
      #expect(render(.team2020, .category, ["none"], store) == nil)
      #expect(render(.team2020, .detail, ["H077F"], store) == nil)
    }
  }

  // MARK: All

  @Test("Unknown sections are nothing on every surface", arguments: CompatibleSurface.all.map(\.name))
  func unknown(name: String) throws {
    let surface = try #require(CompatibleSurface.all.first { $0.name == name })
    try withSampleShop { store in
      #expect(render(surface, .items, ["none"], store) == nil)
      #expect(render(surface, .items, ["ma in"], store) == nil)
      #expect(render(surface, .items, [], store) == nil)
      #expect(render(surface, .detail, ["HNONE"], store) == nil)
    }
  }

  @Test("Each surface keeps its items under a number of its own")
  func memoKeys() {
    let keys = CompatibleSurface.all.map(\.memoKey) + [MemoKey.nativeSummary]
    #expect(Set(keys).count == keys.count)
  }
}
