import Testing

/// The surface of 2022, as its clients decode it: golden values, exact keys.
@Suite("The surface onban2022", .blocking)
struct OnbanTests {
  /// The keys in the order in which they stand; the ones that may be absent are `n_price` and `badge`.
  private static let order = [
    "detail_hash", "image", "alt", "delivery_type", "title", "description", "n_price", "s_price", "badge",
  ]

  private func expectItem(_ item: StrictJSON, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let optional = ["n_price", "badge"]
    let expected = Self.order.filter { !optional.contains($0) || item.has($0) }
    #expect(item.keys == expected, sourceLocation: sourceLocation)
    #expect(!item.containsNull, sourceLocation: sourceLocation)
    // One client goes blank when there is a list price and no badge.
    if item.has("n_price") { #expect(item.has("badge"), sourceLocation: sourceLocation) }
    let delivery = try item["delivery_type"].texts
    #expect(
      [["새벽배송", "전국택배"], ["새벽배송"], ["전국택배"]].contains(delivery), sourceLocation: sourceLocation)
    for key in ["n_price", "s_price"] where item.has(key) {
      #expect(try item[key].text.wholeMatch(of: /[1-9]\d{0,2}(,\d{3})*원/) != nil, sourceLocation: sourceLocation)
    }
    if item.has("badge") {
      let known: Set = ["런칭특가", "이벤트특가", "메인특가"]
      #expect(try known.isSuperset(of: item["badge"].texts), sourceLocation: sourceLocation)
    }
    #expect(try item["image"].text.hasSuffix("-thumb.jpg"), sourceLocation: sourceLocation)
  }

  /// The list under the envelope of 2022.
  private func list(_ shop: RunningShop, _ target: String) throws -> [StrictJSON] {
    let reply = try shop.get(target)
    #expect(reply.status == 200 && reply["Content-Type"] == "application/json")
    let answer = try reply.json
    #expect(answer.keys == ["statusCode", "body"])
    #expect(try answer["statusCode"].integer == 200)
    return try answer["body"].items
  }

  @Test("A list is an envelope of items with exactly the known keys")
  func lists() throws {
    try withShop { shop in
      for section in ["main", "soup", "side", "kimchi"] {
        for item in try list(shop, "/onban/\(section)") { try expectItem(item) }
      }
      let main = try list(shop, "/onban/main")
      #expect(try main.map { try $0["detail_hash"].text } == ["HBDEF", "HDF73", "HF778", "HFB53"])
      let image = try main[0]["image"].text
      #expect(
        try main[0]
          == StrictJSON(
            Array(
              #"""
              {"detail_hash":"HBDEF","image":"\#(image)","alt":"붉은 양념의 오리 주물럭",
               "delivery_type":["새벽배송","전국택배"],"title":"오리 주물럭_반조리",
               "description":"오리 주물럭_반조리, 오늘 아침에 만들었습니다.","n_price":"15,800원","s_price":"12,640원",
               "badge":["런칭특가"]}
              """#.utf8)))
      // A badge that these clients do not know is left out, but a list price is never without a badge.
      #expect(try main[1]["badge"] == .array([]))
      #expect(!main[2].has("badge") && !main[2].has("n_price"))
      // Nor do they know 품절.
      #expect(!main[3].has("badge"))
      let soup = try list(shop, "/onban/soup")
      #expect(try soup[0]["badge"].texts == ["이벤트특가", "메인특가"] && soup[0]["s_price"].text == "990원")
      #expect(try soup[0]["delivery_type"].texts == ["새벽배송", "전국택배"])
      #expect(try list(shop, "/onban/side")[0]["s_price"].text == "1,000,000원")
    }
  }

  @Test("A detail is bare, and has all eight keys")
  func detail() throws {
    try withShop { shop in
      let reply = try shop.get("/onban/detail/HBDEF")
      #expect(reply.status == 200 && reply["Content-Type"] == "application/json")
      let detail = try reply.json
      #expect(detail.keys == ["hash", "data"] && !detail.containsNull)
      #expect(try detail["hash"].text == "HBDEF")
      let data = try detail["data"]
      #expect(
        data.keys == [
          "top_image", "thumb_images", "product_description", "point", "delivery_info", "delivery_fee", "prices",
          "detail_section",
        ])
      #expect(try data["top_image"].text.hasSuffix("-medium.jpg"))
      #expect(try data["thumb_images"].texts.count == 3)
      #expect(try data["thumb_images"].texts.allSatisfy { $0.hasSuffix("-medium.jpg") })
      #expect(try data["detail_section"].texts.count == 2)
      #expect(try data["detail_section"].texts.allSatisfy { $0.hasSuffix("-large.jpg") })
      #expect(try data["product_description"].text == "오리 주물럭_반조리, 오늘 아침에 만들었습니다.")
      #expect(try data["point"].text == "126원")
      #expect(try data["delivery_info"].text == "서울·수도권 새벽배송")
      #expect(try data["delivery_fee"].text == "2,500원 (40,000원 이상 구매 시 무료)")
      #expect(try data["prices"].texts == ["15,800원", "12,640원"])
      let plain = try shop.json("/onban/detail/HBBCC")["data"]
      #expect(try plain["prices"].texts == ["1,000,000원"] && plain["point"].text == "10,000원")
      #expect(try plain["thumb_images"].texts.count == 1 && plain["detail_section"].texts.isEmpty)
    }
  }

  @Test("All details come at once, and one item comes by its section")
  func more() throws {
    try withShop { shop in
      let details = try list(shop, "/onban/detail")
      #expect(
        try details.map { try $0["hash"].text }
          == ["HBDEF", "HDF73", "HF778", "HFB53", "H72C3", "HBBCC", "kimchi_01-A"])
      #expect(try details[0] == shop.json("/onban/detail/HBDEF"))
      for (section, hash) in [("main", "HBDEF"), ("soup", "H72C3"), ("kimchi", "kimchi_01-A")] {
        let item = try shop.json("/onban/\(section)/\(hash)")
        try expectItem(item)
        #expect(try list(shop, "/onban/\(section)").contains(item))
      }
    }
  }

  @Test("The best are the collections, with ids that are strings of digits")
  func best() throws {
    try withShop { shop in
      let best = try list(shop, "/onban/best")
      #expect(best.count == 1 && best[0].keys == ["category_id", "name", "items"])
      #expect(try best[0]["category_id"].text == "17011200" && best[0]["name"].text == "할인특가 세트상품")
      let items = try best[0]["items"].items
      for item in items { try expectItem(item) }
      #expect(try items.map { try $0["detail_hash"].text } == ["HBDEF", "H72C3"])
    }
  }

  @Test("One of the best is asked for by its id on each surface, and one that is not there is a problem")
  func collection() throws {
    try withShop { shop in
      for surface in ["/woowa", "/develop/baminchan", "/onban"] {
        for slash in ["", "/"] {
          let one = try shop.json("\(surface)/best/17011200\(slash)")
          #expect(one.keys == ["category_id", "name", "items"])
          #expect(try one["items"].items.map { try $0["detail_hash"].text } == ["HBDEF", "H72C3"])
        }
        expectProblem(try shop.get("\(surface)/best/17019999"), 404, "not-found")
      }
      #expect(try shop.json("/woowa/best").items.count == 1)
      #expect(try shop.json("/woowa/detail").items.first?.keys == ["hash", "data"])
    }
  }

  @Test("Every path answers with a slash at its end as without, and never redirects")
  func trailingSlash() throws {
    try withShop { shop in
      for target in ["main", "soup", "side", "kimchi", "best", "best/17011200", "detail", "detail/HBDEF", "main/HBDEF"]
      {
        let plain = try shop.get("/onban/\(target)")
        let slashed = try shop.get("/onban/\(target)/")
        #expect(plain.status == 200 && slashed.status == 200, "\(target)")
        #expect(plain.body == slashed.body, "\(target)")
      }
    }
  }

  @Test("A query is ignored, and so is the type of a body that a GET does not have")
  func ignored() throws {
    try withShop { shop in
      let plain = try shop.get("/onban/main")
      let odd = try shop.get("/onban/main?page=2&x", "Content-Type: application/json", "Accept: text/html")
      #expect(odd.status == 200 && odd.body == plain.body)
    }
  }

  @Test(
    "An unknown section or hash is a real 404",
    arguments: [
      "/onban/none", "/onban/detail/HNONE", "/onban/main/HNONE", "/onban/none/HBDEF", "/onban/detail/H077F",
      "/onban/main/H077F", "/onban", "/onban/", "/onban/main/HBDEF/more", "/onban//main",
    ])
  func notFound(_ target: String) throws {
    try withShop { shop in expectProblem(try shop.get(target), 404, "not-found") }
  }

  @Test("The surface moves to another prefix, and goes away when it is off")
  func mounting() throws {
    try withShop(arguments: ["--surface", "onban2022=/old/shop"]) { shop in
      let (moved, gone) = try (shop.get("/old/shop/main"), shop.get("/onban/main"))
      #expect(moved.status == 200 && gone.status == 404)
    }
    try withShop(arguments: ["--surface", "onban2022=off"]) { shop in
      let (gone, catalog) = try (shop.get("/onban/main"), shop.get("/api/v1/catalog"))
      #expect(gone.status == 404 && catalog.status == 200)
    }
  }

  @Test("The built-in hashes of the demo shop are all there, eight to a section")
  func knownHashes() throws {
    // The checkout's own seed, as `make run` serves it.
    try withDemoShop { shop in
      let known = [
        "main": ["HBDEF", "HDF73", "HF778", "HFB53", "H077F", "H4665", "H1AA9", "HEDFB"],
        "soup": ["H72C3", "HA6EE", "H8CD0", "HE2E9", "HAA47", "H3254", "H26C7", "HFFF9"],
        "side": ["HBBCC", "H1939", "H8EA5", "H602F", "H9F0B", "H0FC6", "HCCFE", "HB9C1"],
      ]
      for (section, hashes) in known {
        let found = Set(try list(shop, "/onban/\(section)").map { try $0["detail_hash"].text })
        #expect(found.isSuperset(of: hashes), "\(section)")
        for hash in hashes { #expect(try shop.get("/onban/detail/\(hash)").status == 200) }
      }
    }
  }
}
