import Catalog

/// A small shop in which every rule of the views has a product.
enum SampleShop {
  static let base = Array("http://shop.test:8080".utf8)
  /// 2024-03-01T09:30:00Z
  static let time: Int64 = 1_709_285_400

  static let seed = """
    {"shop": {"name": "맛나 \\"반찬\\"", "placeholder": "images/placeholder.jpg",
      "delivery": {"types": ["dawn", "parcel"], "info": "서울 새벽배송", "fee": "2,500원 (40,000원 이상 구매 시 무료)",
      "freeFrom": 40000}},
     "sections": [{"id": "main", "name": "메인반찬", "title": "한그릇 뚝딱"}, {"id": "soup", "name": "국・찌개", "title": ""},
      {"id": "side", "name": "밑반찬", "title": "든든한"}, {"id": "kimchi", "name": "김치", "title": "아삭한"}],
     "products": [
      {"id": "HBDEF", "section": "main", "title": "소갈비찜", "description": "푹 \\\\졸인\\\\ 갈비/찜", "alt": "윤기 나는 갈비",
       "price": 12640, "listPrice": 15800, "badges": ["launch", "best"], "stock": 12, "image": "images/galbi.jpg",
       "images": ["images/galbi.jpg", "images/galbi-2.png"], "details": ["https://cdn.example.com/긴.webp?x=1"],
       "notices": [{"label": "원산지", "value": "미국산"}, {"label": "내용량", "value": "600g"}]},
      {"id": "HDF73", "section": "main", "title": "제육볶음", "description": "", "price": 11520, "listPrice": 14800,
       "badges": ["best"], "image": "images/jeyuk.jpg"},
      {"id": "H72C3", "section": "soup", "title": "미역국", "description": "맑은 국", "price": 990, "badges": ["event", "main"],
       "deliveryTypes": ["parcel"], "image": "images/miyeok", "delivery": {"info": "이틀 안에", "fee": "무료"}},
      {"id": "HBBCC", "section": "side", "title": "콩나물", "description": "", "price": 1000000, "status": "soldOut",
       "image": "images/galbi.jpg"},
      {"id": "H077F", "section": "side", "title": "숨은 반찬", "description": "", "price": 1, "status": "hidden",
       "image": "images/galbi.jpg"},
      {"id": "kimchi_01-A", "section": "kimchi", "title": "배추김치", "description": "", "price": 0,
       "image": "images/kimchi.jpg"}],
     "collections": [{"id": "17011200", "name": "할인특가 세트상품", "products": ["H72C3", "H077F", "HBDEF"]},
      {"id": "17011000", "name": "빈", "products": []}]}
    """

  static func catalog(replacing old: String = "\u{0}", with new: String = "") throws -> SeedCatalog {
    let text = seed.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    return try SeedFile.read(Array(text.utf8))
  }
}

/// Runs a test with a store that holds the sample shop.
func withSampleShop(_ work: (CatalogStore) throws -> Void) throws {
  try withTemporaryFolder { folder in
    let store = try CatalogStore(in: DataFolder(folder))
    _ = try store.import(SampleShop.catalog(), now: SampleShop.time)
    try work(store)
  }
}
