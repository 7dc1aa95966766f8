/// Everything that lists of a shop show: its sections in order, each with its products, and the collections.
public struct Catalog: Codable, Hashable, Sendable {
  /// Goes up with each change.
  public let version: Int64
  /// The shop.
  public let shop: Shop
  /// The sections in the shop's order.
  public let sections: [Section]
  /// The collections in the shop's order.
  public let collections: [Collection]

  /// What is known of the shop as a whole.
  public struct Shop: Codable, Hashable, Sendable {
    /// Its name.
    public let name: String
  }

  /// A section with its products.
  public struct Section: Codable, Hashable, Sendable, Identifiable {
    /// Such as `main`.
    public let id: String
    /// A short name.
    public let name: String
    /// A sentence.
    public let title: String
    /// Its products in order.
    public let products: [ProductSummary]
  }

  /// Products that the shop put together.
  public struct Collection: Codable, Hashable, Sendable, Identifiable {
    /// Digits in most shops.
    public let id: String
    /// As the shop wrote it.
    public let name: String
    /// Its products in order.
    public let products: [ProductSummary]
  }

  /// All products, section by section.
  public var products: [ProductSummary] { sections.flatMap(\.products) }
}

/// A product as lists show it.
public struct ProductSummary: Codable, Hashable, Sendable, Identifiable {
  /// Survives every import.
  public let id: String
  /// The section's id.
  public let section: String
  /// 1 to 100 characters.
  public let title: String
  /// 0 to 500 characters.
  public let description: String
  /// What is paid.
  public let price: Money
  /// What it would cost otherwise; above the price.
  public let listPrice: Money?
  /// Rounded down.
  public let discountPercent: Int?
  /// In the shop's order.
  public let badges: [Label]
  /// In the shop's order, at least one.
  public let deliveryTypes: [Label]
  /// Whether it can be bought.
  public let status: ProductStatus
  /// How many are left; nil when nobody counts.
  public let stock: Int?
  /// The list's picture.
  public let image: Picture
}

/// A product in full.
@dynamicMemberLookup
public struct Product: Decodable, Hashable, Sendable, Identifiable {
  /// What lists show of it.
  public let summary: ProductSummary
  /// The gallery: one to five.
  public let images: [Picture]
  /// Long pictures, shown below each other.
  public let details: [Picture]
  /// What is told at the point of sale, in this order.
  public let notices: [Notice]
  /// Won.
  public let points: Int
  /// How it comes.
  public let delivery: Delivery

  /// The summary's.
  public var id: String { summary.id }

  /// What the summary has, read as the product's own: `product.title`.
  public subscript<Value>(dynamicMember member: KeyPath<ProductSummary, Value>) -> Value { summary[keyPath: member] }

  /// What a shop has to tell of a product: origin, shelf life, allergens.
  public struct Notice: Codable, Hashable, Sendable {
    /// Such as 원산지.
    public let label: String
    /// As the shop wrote it.
    public let value: String
  }

  /// Delivery, as the shop wrote it.
  public struct Delivery: Codable, Hashable, Sendable {
    /// Where and when.
    public let info: String
    /// What it costs.
    public let fee: String
    /// From how many won on it is free.
    public let freeFrom: Int?
  }

  private enum Key: CodingKey {
    case images, details, notices, points, delivery
  }

  /// Reads both parts out of one object.
  public init(from decoder: any Decoder) throws {
    summary = try ProductSummary(from: decoder)
    let members = try decoder.container(keyedBy: Key.self)
    images = try members.decode([Picture].self, forKey: .images)
    details = try members.decode([Picture].self, forKey: .details)
    notices = try members.decode([Notice].self, forKey: .notices)
    points = try members.decode(Int.self, forKey: .points)
    delivery = try members.decode(Delivery.self, forKey: .delivery)
  }
}

/// An amount of won.
public struct Money: Codable, Hashable, Sendable {
  /// Won.
  public let amount: Int
  /// As Korean shops write it: `12,640원`.
  public let text: String
}

/// A word with an id that never changes.
public struct Label: Codable, Hashable, Sendable, Identifiable {
  /// Ids may be added; whoever does not know one shows the text.
  public let id: String
  /// What the shop shows.
  public let text: String
}

/// Whether a product can be bought. Words may be added.
public struct ProductStatus: RawRepresentable, Codable, Hashable, Sendable {
  /// The word.
  public let rawValue: String
  /// A word.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// It can.
  public static let onSale = ProductStatus(rawValue: "onSale")
  /// Not now.
  public static let soldOut = ProductStatus(rawValue: "soldOut")
}
