import Catalog

/// A small seed file in canonical form, with every key somewhere, for tests to change.
enum SampleSeed {
  static let text = """
    {
      "shop": {
        "name": "반찬",
        "placeholder": "images/placeholder.jpg",
        "delivery": {
          "types": [
            "dawn",
            "parcel"
          ],
          "info": "서울 새벽배송",
          "fee": "2,500원 (40,000원 이상 구매 시 무료)",
          "freeFrom": 40000
        }
      },
      "sections": [
        {
          "id": "main",
          "name": "메인반찬",
          "title": "한그릇 뚝딱 메인 요리"
        },
        {
          "id": "soup",
          "name": "국・찌개",
          "title": "김이 모락모락 국・찌개"
        }
      ],
      "products": [
        {
          "id": "HBDEF",
          "section": "main",
          "title": "소갈비찜",
          "description": "푹 졸인 갈비",
          "alt": "윤기 나는 갈비찜",
          "price": 12640,
          "listPrice": 15800,
          "badges": [
            "event",
            "best"
          ],
          "deliveryTypes": [
            "parcel"
          ],
          "status": "soldOut",
          "stock": 0,
          "image": "images/galbi.jpg",
          "images": [
            "images/galbi.jpg",
            "https://cdn.example.com/%E1%84%80a+b.jpg?x=1"
          ],
          "details": [
            "images/galbi-long.jpg"
          ],
          "notices": [
            {
              "label": "원산지",
              "value": "소갈비: 미국산"
            },
            {
              "label": "소비기한",
              "value": "냉장 5일"
            }
          ],
          "delivery": {
            "info": "전국택배만",
            "fee": "무료"
          }
        },
        {
          "id": "HDF73",
          "section": "main",
          "title": "제육볶음",
          "description": "",
          "price": 9900,
          "image": "images/jeyuk.jpg"
        },
        {
          "id": "H72C3",
          "section": "soup",
          "title": "미역국",
          "description": "맑은 국",
          "price": 5000,
          "status": "hidden",
          "image": "images/galbi.jpg"
        }
      ],
      "collections": [
        {
          "id": "17011200",
          "name": "할인특가 세트상품",
          "products": [
            "H72C3",
            "HBDEF"
          ]
        }
      ]
    }

    """

  static var bytes: [UInt8] { Array(text.utf8) }

  /// The sample with every occurrence of some text replaced.
  static func replacing(_ old: String, with new: String) -> [UInt8] {
    Array(text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new).utf8)
  }

  static func catalog(replacing old: String = "\u{0}", with new: String = "") throws -> SeedCatalog {
    try SeedFile.read(replacing(old, with: new))
  }

  /// The sample with its first two products in the other order.
  static func swappingFirstProducts() throws -> SeedCatalog {
    let start = "    {\n      \"id\": \"H"
    var parts = text.split(separator: start, omittingEmptySubsequences: false)
    parts.swapAt(1, 2)
    return try SeedFile.read(Array(parts.joined(separator: start).utf8))
  }
}
