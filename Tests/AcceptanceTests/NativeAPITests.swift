import Testing

@Suite("The native API", .blocking)
struct NativeAPITests {
  @Test("The catalog has everything, grouped, in exactly the form of schema.md")
  func catalog() throws {
    try withShop { shop in
      let catalog = try shop.json("/api/v1/catalog")
      Model.catalog(catalog, "", #_sourceLocation)
      #expect(try catalog["shop"]["name"].text == "맛나 반찬")
      #expect(try catalog["sections"].items.map { try $0["id"].text } == ["main", "soup", "side", "kimchi"])
      let main = try catalog["sections"].items[0]
      #expect(try main["name"].text == "메인반찬" && main["title"].text == "한그릇 뚝딱 메인 요리")
      #expect(try main["href"].text == "/api/v1/sections/main")
      // Order in the file is order in the shop, and what is hidden is nowhere.
      #expect(try main["products"].items.map { try $0["id"].text } == ["HBDEF", "HDF73", "HF778", "HFB53"])
      #expect(try main["productCount"].integer == 4)
      let collection = try catalog["collections"].items[0]
      #expect(try collection["id"].text == "17011200" && collection["name"].text == "할인특가 세트상품")
      #expect(try collection["products"].items.map { try $0["id"].text } == ["HBDEF", "H72C3"])
    }
  }

  @Test("A product's summary says price, discount, badges and delivery in numbers and in words")
  func summary() throws {
    try withShop { shop in
      let products = try shop.json("/api/v1/sections/main")["section"]["products"].items
      #expect(
        try products[0]["price"]
          == StrictJSON(Array(#"{"amount":12640,"currency":"KRW","text":"12,640원"}"#.utf8)))
      #expect(try products[0]["listPrice"]["text"].text == "15,800원")
      #expect(try products[0]["discountPercent"].integer == 20)
      #expect(try products[0]["badges"] == StrictJSON(Array(#"[{"id":"launch","text":"론칭특가"}]"#.utf8)))
      #expect(
        try products[0]["deliveryTypes"]
          == StrictJSON(Array(#"[{"id":"dawn","text":"새벽배송"},{"id":"parcel","text":"전국택배"}]"#.utf8)))
      #expect(try products[0]["status"].text == "onSale" && products[0]["stock"].integer == 12)
      #expect(try products[0]["href"].text == "/api/v1/products/HBDEF")
      #expect(try products[0]["image"]["alt"].text == "붉은 양념의 오리 주물럭")
      // 11,520 of 14,800 is 22.16 % off: rounded down.
      #expect(try products[1]["discountPercent"].integer == 22)
      #expect(try products[1]["image"]["alt"].text == "잡채")
      #expect(try products[2]["listPrice"] == .null && products[2]["discountPercent"] == .null)
      #expect(try products[2]["badges"] == .array([]) && products[2]["stock"] == .null)
      #expect(try products[3]["status"].text == "soldOut")
    }
  }

  @Test("The sections come without their products, and one comes with them")
  func sections() throws {
    try withShop { shop in
      let sections = try shop.json("/api/v1/sections")
      Model.members([("version", .integer), ("sections", .list(Model.section))])(sections, "", #_sourceLocation)
      for section in try sections["sections"].items {
        let one = try shop.json(section["href"].text)
        Model.members([("version", .integer), ("section", .object(Model.sectionWithProducts))])(
          one, "", #_sourceLocation)
        #expect(try one["section"]["products"].items.count == section["productCount"].integer)
      }
    }
  }

  @Test("A product's detail has its gallery, notices, points and delivery")
  func detail() throws {
    try withShop { shop in
      let answer = try shop.json("/api/v1/products/HBDEF")
      Model.members([("version", .integer), ("product", .object(Model.detail))])(answer, "", #_sourceLocation)
      let product = try answer["product"]
      #expect(try product["images"].items.count == 3 && product["details"].items.count == 2)
      #expect(
        try product["notices"]
          == StrictJSON(
            Array(#"[{"label":"원산지","value":"오리고기: 국산"},{"label":"내용량","value":"600g"}]"#.utf8)))
      #expect(try product["points"].integer == 126)
      #expect(try product["delivery"]["fee"].text == "2,500원 (40,000원 이상 구매 시 무료)")
      #expect(try product["delivery"]["freeFrom"].integer == 40000)
      for time in try [product["createdAt"].text, product["updatedAt"].text] {
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(time)")
      }
      // Without a gallery of its own, the list picture is the gallery; without a delivery, it is the shop's.
      let plain = try shop.json("/api/v1/products/HF778")["product"]
      #expect(try plain["images"].items == [plain["image"]] && plain["details"].items.isEmpty)
      #expect(try plain["notices"].items.isEmpty && plain["delivery"]["info"].text == "서울·수도권 새벽배송")
      let own = try shop.json("/api/v1/products/HBBCC")["product"]
      #expect(try own["delivery"]["info"].text == "전국 어디든 이틀 안에" && own["delivery"]["fee"].text == "무료")
    }
  }

  @Test("Every product of the catalog answers at its address, with what the list said")
  func agrees() throws {
    try withShop { shop in
      for section in try shop.json("/api/v1/catalog")["sections"].items {
        for summary in try section["products"].items {
          let detail = try shop.json(summary["href"].text)["product"]
          for key in summary.keys { #expect(try detail[key] == summary[key]) }
        }
      }
    }
  }

  @Test("Pictures have absolute addresses of the host that was asked, with identity, version and size in the last part")
  func pictureAddresses() throws {
    try withShop { shop in
      let urls = try shop.json("/api/v1/products/HBDEF")["product"]["image"]["urls"]
      for (size, pattern) in [("thumb", "jpg"), ("medium", "jpg"), ("large", "jpg"), ("original", "jpg")] {
        let path = try shop.path(of: urls[size].text)
        let name = try #require(path.wholeMatch(of: /\/images\/([0-9a-hjkmnp-tv-z]{12})-1[a-z]-([a-z]+)\.([a-z]+)/))
        #expect(name.2 == size && name.3 == pattern)
      }
    }
  }

  @Test("With a public URL, pictures stand under it, whatever host was asked")
  func publicURL() throws {
    try withShop(arguments: ["--public-url", "https://banchan.example"]) { shop in
      let url = try shop.json("/api/v1/products/HBDEF")["product"]["image"]["urls"]["thumb"].text
      #expect(url.hasPrefix("https://banchan.example/images/"))
      let list = try shop.json("/onban/main")["body"].items
      #expect(try list[0]["image"].text == url)
    }
  }

  @Test("Text comes out composed, however it went in")
  func composed() throws {
    try withShop { shop in
      let description = try shop.json("/api/v1/products/HF778")["product"]["description"].text
      // As bytes: to Swift the two forms are equal.
      #expect(Array(description.utf8) == Array("\u{D55C} 그릇".utf8))
    }
  }

  @Test("A catalog version is the same in every answer, and after a restart")
  func version() throws {
    try withShop { shop in
      let targets = ["/api/v1/catalog", "/api/v1/sections", "/api/v1/sections/soup", "/api/v1/products/HBDEF"]
      let versions = try targets.map { try shop.json($0)["version"].integer }
      #expect(Set(versions).count == 1)
      let before = try shop.get("/api/v1/catalog")
      try shop.restart()
      let after = try shop.get("/api/v1/catalog")
      #expect(after.body == before.body)
      #expect(after["ETag"] == before["ETag"] && after["Last-Modified"] == before["Last-Modified"])
    }
  }

  @Test(
    "What is not there is a 404 that says so",
    arguments: [
      "/api/v1/sections/none", "/api/v1/products/NONE", "/api/v1/products/H077F", "/api/v1/products/hbdef",
      "/api/v1/products/", "/api/v1", "/nowhere", "/%EA%B9%80%EC%B9%98", "/api/v1/catalog/more",
    ])
  func notFound(_ target: String) throws {
    try withShop { shop in
      let reply = try shop.get(target)
      expectProblem(reply, 404, "not-found")
      #expect(try reply.json["instance"].text == target)
    }
  }

  @Test("A parameter that nobody knows is refused by name under /api/v1, and ignored elsewhere")
  func unknownParameter() throws {
    try withShop { shop in
      for target in ["/api/v1/catalog?colour=red", "/api/v1/products/HBDEF?x", "/api/v1/sections?%EA%B0%92=1"] {
        expectProblem(try shop.get(target), 400, "unknown-parameter")
      }
      #expect(try shop.get("/api/v1/catalog?colour=red").json["detail"].text.contains("colour"))
      #expect(try shop.get("/onban/main?colour=red").status == 200)
      #expect(try shop.get("/nowhere?colour=red").status == 404)
    }
  }

  @Test("Liveness is always well; readiness says that pictures are not derived yet")
  func health() throws {
    try withShop { shop in
      #expect(try shop.get("/livez").status == 200)
      let ready = try shop.json("/readyz")
      Model.members([("status", .text), ("reasons", .texts)])(ready, "", #_sourceLocation)
      #expect(try ready["status"].text == "ready" && ready["reasons"].texts.isEmpty)
    }
  }
}
