/// An upstream whose data is as odd as real captures are (wire-contracts.md, section 9), out of a scripted origin: its
/// JSON below `/onban`, and its pictures.
struct FlakyUpstream {
  let origin: ScriptedOrigin

  /// The oddities that a sync must tell, one line each, by the hash.
  static let oddities = [
    "HBDEF: the list price 9,000원 is not above the price 12,640원: sold without a list price",
    #"HDF73: s_price is written "11520": taken as 11,520원"#, #"HDF73: n_price is written "14,800": taken as 14,800원"#,
    "HF778: the badge 이밴트특가 is taken as 이벤트특가", "HF778: the badge 신상품 is not known: left out",
    "HF778: has the same list picture as HDF73: kept for both",
    "HFB53: the detail's prices are 6,000원: the list's, 7,000원, are kept",
    "HBDEF: stands in main and again in soup: the first place is kept",
    "H72C3: no way of sending is named: the shop's is taken",
    "H72C3: thumb_images has 7 pictures: the first 5 are taken",
    "HA6EE: the way of sending 로켓배송 is not known: left out",
    "HA6EE: description has line breaks or control characters: taken out",
    "HBBCC: title has more than 100 characters: cut",
    "best 17011200: category_id is 17011200: taken as a text",
  ]

  /// The address of HFB53's picture: decomposed Hangul, a plus, escapes in small letters.
  static let oddPicture = "/data/%E1%84%8B%E1%85%A9%E1%84%85%E1%85%B5+%ed%95%9c//a.jpg"

  init() throws {
    origin = try ScriptedOrigin()
    var list: [String: [String]] = ["main": [], "soup": [], "side": []]
    func item(
      _ section: String, _ hash: String, image: String? = nil, price: String, more: String = "",
      delivery: String = #"["새벽배송","전국택배"]"#, title: String? = nil, description: String = "맛있는 반찬"
    ) -> String {
      let item = """
        {"detail_hash":"\(hash)","image":"\(picture(image ?? hash))","alt":"\(hash)","delivery_type":\(delivery),
         "title":"\(title ?? "\(hash) 반찬")","description":"\(description)",\(more)"s_price":"\(price)"}
        """
      list[section]?.append(item)
      return item
    }
    let first = item("main", "HBDEF", price: "12,640원", more: #""n_price":"9,000원","badge":[],"#)
    _ = item("main", "HDF73", price: "11520", more: #""n_price":"14,800","badge":["메인특가"],"#)
    _ = item("main", "HF778", image: "HDF73", price: "28,900원", more: #""badge":["이밴트특가","신상품"],"#)
    _ = item("main", "HFB53", image: Self.oddPicture, price: "7,000원")
    list["soup"]?.append(first)
    _ = item("soup", "H72C3", price: "990원", delivery: "[]")
    _ = item("soup", "HA6EE", price: "8,500원", delivery: #"["로켓배송","전국택배"]"#, description: #"한\n그릇\u0001"#)
    _ = item("side", "HBBCC", price: "5,000원", title: String(repeating: "길", count: 120))
    for (section, items) in list { self[section] = "{\"statusCode\":200,\"body\":[\(items.joined(separator: ","))]}" }
    self["best"] = """
      {"statusCode":200,"body":[{"category_id":17011200,"name":"할인특가 세트상품","items":[\(first)]},
       {"category_id":"17011000","name":"풍성한 고기반찬","items":[]}]}
      """
    setDetail("HBDEF", prices: #"["9,000원","12,640원"]"#, top: "dead")
    setDetail("HDF73", prices: #"["14,800원","11,520원"]"#)
    setDetail("HF778", prices: #"["28,900원"]"#, image: "HDF73")
    setDetail("HFB53", prices: #"["6,000원"]"#, image: Self.oddPicture)
    setDetail("H72C3", prices: #"["990원"]"#, gallery: (1...7).map { "H72C3-\($0)" })
    setDetail("HA6EE", prices: #"["8,500원"]"#)
    setDetail("HBBCC", prices: #"["5,000원"]"#)
    for name in ["HBDEF", "HDF73", "H72C3", "HA6EE", "HBBCC"] + (1...7).map({ "H72C3-\($0)" }) {
      origin["/data/\(name).jpg"] = .picture(Picture.jpeg(name))
    }
    // The same file name in another folder is another picture.
    origin["/data/other/HBDEF.jpg"] = .picture(Picture.jpeg("other"))
    origin[Self.oddPicture.uppercasedEscapes] = .picture(Picture.jpeg("odd"))
  }

  /// The place that its lists stand at.
  var url: String { origin.base + "onban" }

  /// The answer below `/onban`.
  subscript(_ path: String) -> String? {
    get { nil }
    nonmutating set {
      origin["/onban/\(path)"] = newValue.map { .picture(Array($0.utf8), type: "application/json") }
    }
  }

  func count(_ path: String) -> Int { origin.count("/onban/\(path)") }

  /// Every path below `/onban` that a whole sync asks for.
  var paths: [String] {
    ["main", "soup", "side", "best"]
      + ["HBDEF", "HDF73", "HF778", "HFB53", "H72C3", "HA6EE", "HBBCC"].map { "detail/\($0)" }
  }

  func setDetail(
    _ hash: String, prices: String, top: String? = nil, image: String? = nil, gallery: [String]? = nil
  ) {
    let gallery = (gallery ?? [image ?? hash]).map { "\"\(picture($0))\"" }.joined(separator: ",")
    self["detail/\(hash)"] = """
      {"hash":"\(hash)","data":{"top_image":"\(picture(top ?? image ?? hash))","thumb_images":[\(gallery)],
       "product_description":"맛있는 반찬","point":"1원","delivery_info":"서울 새벽배송","delivery_fee":"2,500원 (40,000원 이상 구매 시 무료)",
       "prices":\(prices),"detail_section":["\(picture("other/HBDEF"))","\(picture("gone"))"]}}
      """
  }

  private func picture(_ name: String) -> String {
    origin.base + (name.hasPrefix("/") ? String(name.dropFirst()) : "data/\(name).jpg")
  }
}

extension String {
  /// The same URL with its escapes in capitals, as it is asked for.
  fileprivate var uppercasedEscapes: String {
    var bytes = Array(utf8)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
      for digit in [index + 1, index + 2] where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(bytes[digit]) {
        bytes[digit] -= 0x20
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
