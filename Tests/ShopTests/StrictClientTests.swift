import Catalog
import FoundationEssentials
import Testing

@testable import Shop

/// The surface of 2022 through the eyes of its strictest clients: a decoder that fails on any unknown key, word or null.
@Suite("A strict client of 2022")
struct StrictClientTests {
  /// Fails when an object has other keys than these.
  static func checkKeys(_ decoder: any Decoder, known: [String]) throws {
    struct AnyKey: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    let container = try decoder.container(keyedBy: AnyKey.self)
    for key in container.allKeys {
      #expect(known.contains(key.stringValue))
      #expect(try !container.decodeNil(forKey: key))
    }
  }

  enum Delivery: String, Decodable { case dawn = "새벽배송", parcel = "전국택배" }
  enum Badge: String, Decodable { case launch = "런칭특가", event = "이벤트특가", main = "메인특가" }

  struct Envelope<Body: Decodable>: Decodable {
    let statusCode: Int
    let body: [Body]
  }

  struct Item: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case hash = "detail_hash"
      case image, alt
      case delivery = "delivery_type"
      case title, description
      case listPrice = "n_price"
      case price = "s_price"
      case badges = "badge"
    }

    let hash: String, image: URL, alt: String, delivery: [Delivery], title: String, description: String
    let listPrice: String?, price: String, badges: [Badge]?

    init(from decoder: any Decoder) throws {
      try checkKeys(decoder, known: CodingKeys.allCases.map(\.rawValue))
      let container = try decoder.container(keyedBy: CodingKeys.self)
      hash = try container.decode(String.self, forKey: .hash)
      image = try container.decode(URL.self, forKey: .image)
      alt = try container.decode(String.self, forKey: .alt)
      delivery = try container.decode([Delivery].self, forKey: .delivery)
      title = try container.decode(String.self, forKey: .title)
      description = try container.decode(String.self, forKey: .description)
      listPrice = try container.decodeIfPresent(String.self, forKey: .listPrice)
      price = try container.decode(String.self, forKey: .price)
      badges = try container.decodeIfPresent([Badge].self, forKey: .badges)
    }
  }

  struct Detail: Decodable {
    struct Data: Decodable {
      enum CodingKeys: String, CodingKey, CaseIterable {
        case top = "top_image"
        case thumbs = "thumb_images"
        case description = "product_description"
        case point
        case info = "delivery_info"
        case fee = "delivery_fee"
        case prices
        case section = "detail_section"
      }

      let top: URL, thumbs: [URL], description: String, point: String, info: String, fee: String, prices: [String]
      let section: [URL]
    }

    let hash: String
    let data: Data

    enum CodingKeys: String, CodingKey, CaseIterable { case hash, data }

    init(from decoder: any Decoder) throws {
      try checkKeys(decoder, known: CodingKeys.allCases.map(\.rawValue))
      let container = try decoder.container(keyedBy: CodingKeys.self)
      hash = try container.decode(String.self, forKey: .hash)
      try checkKeys(try container.superDecoder(forKey: .data), known: Data.CodingKeys.allCases.map(\.rawValue))
      data = try container.decode(Data.self, forKey: .data)
    }
  }

  private func isPictureURL(_ url: URL, _ size: String) -> Bool {
    url.scheme == "https" && url.host() == "shop.test" && url.query() == nil
      && url.lastPathComponent.hasSuffix("-1a-\(size).jpg")
  }

  @Test("Every list decodes, with pictures that are absolute and small")
  func lists() throws {
    let base = PublicBase(isEncrypted: true, authority: Array("shop.test".utf8))
    try withSampleShop { store in
      for section in ["main", "soup", "side", "kimchi"] {
        let body = CompatibleSurface.onban2022.render(
          .items, parameters: [Array(section.utf8)], store.snapshot, base: base)
        let list = try JSONDecoder().decode(Envelope<Item>.self, from: Data(try #require(body)))
        #expect(list.statusCode == 200 && !list.body.isEmpty)
        for item in list.body {
          #expect(isPictureURL(item.image, "thumb") && !item.delivery.isEmpty && item.price.hasSuffix("원"))
          #expect(item.listPrice == nil || item.badges != nil)
          #expect(item.listPrice != "")
        }
      }
    }
  }

  @Test("Every detail decodes, with a gallery of one to five and prices that are never empty")
  func details() throws {
    let base = PublicBase(isEncrypted: true, authority: Array("shop.test".utf8))
    try withSampleShop { store in
      let body = CompatibleSurface.onban2022.render(.details, parameters: [], store.snapshot, base: base)
      let list = try JSONDecoder().decode(Envelope<Detail>.self, from: Data(try #require(body)))
      #expect(list.body.count == 5)
      for detail in list.body {
        #expect((1...5).contains(detail.data.thumbs.count) && (1...2).contains(detail.data.prices.count))
        #expect(isPictureURL(detail.data.top, "medium") && detail.data.thumbs.allSatisfy { isPictureURL($0, "medium") })
        #expect(detail.data.section.allSatisfy { isPictureURL($0, "large") })
      }
    }
  }
}
