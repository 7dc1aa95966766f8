/// A seed file in pieces that a test can change, also into a wrong one.
struct SampleShop {
  var shop = Members([
    ("name", quoted("맛나 반찬")),
    ("placeholder", quoted("images/placeholder.jpg")),
    (
      "delivery",
      """
      {"types": ["dawn", "parcel"], "info": "서울·수도권 새벽배송", "fee": "2,500원 (40,000원 이상 구매 시 무료)", \
      "freeFrom": 40000}
      """
    ),
  ])
  var sections = [
    section("main", "메인반찬", "한그릇 뚝딱 메인 요리"),
    section("soup", "국・찌개", "김이 모락모락 국・찌개"),
    section("side", "밑반찬", "언제 먹어도 든든한 밑반찬"),
    section("kimchi", "김치", "날마다 담그는 김치"),
  ]
  var products = Self.products
  var collections = [
    Members([
      ("id", quoted("17011200")), ("name", quoted("할인특가 세트상품")),
      ("products", #"["HBDEF", "H72C3", "H077F"]"#),
    ])
  ]

  /// The whole file.
  var json: String {
    let list = { (items: [Members]) in "[\n    " + items.map(\.json).joined(separator: ",\n    ") + "\n  ]" }
    return """
      {
        "shop": \(shop.json),
        "sections": \(list(sections)),
        "products": \(list(products)),
        "collections": \(list(collections))
      }

      """
  }

  /// The shop with one member of one product set to a piece of JSON, or taken out.
  func setting(_ key: String, of product: Int, to value: String?) -> SampleShop {
    var shop = self
    shop.products[product][key] = value
    return shop
  }
}

/// The members of an object in their order, each value a piece of JSON.
struct Members {
  private var list: [(key: String, value: String)]

  init(_ list: [(key: String, value: String)]) { self.list = list }

  subscript(_ key: String) -> String? {
    get { list.first { $0.key == key }?.value }
    set {
      let index = list.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): list[index].value = value
      case (let index?, nil): list.remove(at: index)
      case (nil, let value?): list.append((key, value))
      case (nil, nil): break
      }
    }
  }

  var json: String { "{" + list.map { "\(quoted($0.key)): \($0.value)" }.joined(separator: ", ") + "}" }
}

func quoted(_ text: String) -> String {
  "\"" + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
}

private func section(_ id: String, _ name: String, _ title: String) -> Members {
  Members([("id", quoted(id)), ("name", quoted(name)), ("title", quoted(title))])
}

private func product(_ id: String, in section: String, _ title: String, price: Int, _ more: [(String, String)] = [])
  -> Members
{
  var members = Members([
    ("id", quoted(id)), ("section", quoted(section)), ("title", quoted(title)),
    ("description", quoted("\(title), 오늘 아침에 만들었습니다.")), ("price", "\(price)"),
    ("image", quoted("images/\(id).jpg")),
  ])
  for (key, value) in more { members[key] = value }
  return members
}

extension SampleShop {
  /// Where the products stand in `products`, for a test to name the one that it breaks.
  enum Place {
    static let discounted = 0
    static let soldOut = 3
  }

  /// One product for each thing that the answers tell apart.
  private static let products = [
    product(
      "HBDEF", in: "main", "오리 주물럭_반조리", price: 12640,
      [
        ("alt", quoted("붉은 양념의 오리 주물럭")), ("listPrice", "15800"), ("badges", #"["launch"]"#),
        ("images", #"["images/HBDEF.jpg", "images/HBDEF-2.jpg", "images/HBDEF-3.jpg"]"#),
        ("details", #"["images/HBDEF-d1.jpg", "images/HBDEF-d2.jpg"]"#),
        ("notices", #"[{"label": "원산지", "value": "오리고기: 국산"}, {"label": "내용량", "value": "600g"}]"#),
        ("stock", "12"),
      ]),
    // A badge that the clients of 2022 do not know, on a product with a list price.
    product("HDF73", in: "main", "잡채", price: 11520, [("listPrice", "14800"), ("badges", #"["best"]"#)]),
    // No list price and no badge; and a description that was written on a Mac: 한 as three letters.
    product(
      "HF778", in: "main", "소갈비찜", price: 28900,
      [("description", "\"\u{1112}\u{1161}\u{11AB} 그릇\"")]),
    product("HFB53", in: "main", "간장 코다리조림", price: 7000, [("status", quoted("soldOut"))]),
    product("H077F", in: "main", "숨은 반찬", price: 5000, [("status", quoted("hidden"))]),
    product(
      "H72C3", in: "soup", "한돈 매콤 안심장조림", price: 990,
      [("badges", #"["event", "main"]"#), ("deliveryTypes", #"["parcel", "dawn"]"#)]),
    product(
      "HBBCC", in: "side", "잔치 한 상", price: 1_000_000,
      [
        ("deliveryTypes", #"["parcel"]"#),
        ("delivery", #"{"info": "전국 어디든 이틀 안에", "fee": "무료"}"#),
      ]),
    product("kimchi_01-A", in: "kimchi", "배추김치", price: 9900),
  ]
}
