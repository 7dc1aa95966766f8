import SQLite

/// A row that makes no sense.
struct DamagedRow: Error {
  /// Which one, for a person.
  let name: String
}

/// Reads all products in one pass.
///
/// Ten thousand of them are most of the time between the start and the first answer; so lists that many products share are
/// taken apart once, and shared.
struct ProductLoader {
  private let sections: [SectionID: Section]
  private let shop: ShopEntry
  /// Hands out the products' pictures.
  private(set) var pictures: PictureBook
  private var badges = WordLists<Badge>()
  private var deliveryTypes = WordLists<DeliveryType>()

  init(sections: [Section], shop: ShopEntry, pictures: consuming PictureBook) {
    self.sections = Dictionary(sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.shop = shop
    self.pictures = pictures
  }

  /// The products in the shop's order.
  mutating func load(_ database: Database) throws -> [ProductEntry] {
    let row = try database.prepare(
      """
      SELECT id, section, title, description, alt, price, list_price, badges, delivery_types, status, stock, image, images,
        details, notices, delivery_info, delivery_fee, created_at, updated_at, position FROM product
      """)
    var placed: [(position: Int64, entry: ProductEntry)] = []
    while try row.step() {
      let product = try product(row)
      guard let section = sections[product.section] else { throw DamagedRow(name: "product \(product.id)") }
      let entry = ProductEntry(
        product, section: section, shop: shop, createdAt: try row.integer(17), updatedAt: try row.integer(18),
        pictures: &pictures)
      placed.append((try row.integer(19), entry))
    }
    // The table's order is nearly the shop's, so this costs less than having SQLite sort whole rows.
    placed.sort { ($0.position, $0.entry.product.id.text) < ($1.position, $1.entry.product.id.text) }
    return placed.map(\.entry)
  }

  private mutating func product(_ row: Statement) throws -> Product {
    let id = ProductID(stored: try row.text(0))
    let types = try row.optionalText(8)
    guard let status = ProductStatus(rawValue: try row.text(9)), let badges = badges.read(try row.text(7)),
      let deliveryTypes = deliveryTypes.read(types ?? "")
    else { throw DamagedRow(name: "product \(id)") }
    let image = PictureReference(stored: try row.text(11))
    let terms: DeliveryTerms? =
      if let info = try row.optionalText(15), let fee = try row.optionalText(16) {
        DeliveryTerms(storedInfo: info, fee: fee)
      } else {
        nil
      }
    return Product(
      storedID: id, section: SectionID(stored: try row.text(1)), title: try row.text(2), description: try row.text(3),
      alt: try row.optionalText(4), price: Won(stored: try row.integer(5)),
      listPrice: try row.optionalInteger(6).map(Won.init(stored:)), badges: badges,
      deliveryTypes: types == nil ? nil : deliveryTypes, status: status, stock: try row.optionalInteger(10),
      image: image,
      images: try row.optionalText(12).map(Self.references) ?? [image], details: Self.references(try row.text(13)),
      notices: NoticeList(packed: try row.text(14)), delivery: terms)
  }

  private static func references(_ list: String) -> [PictureReference] {
    list.isEmpty ? [] : CatalogSchema.entries(of: list).map(PictureReference.init(stored:))
  }
}

/// Takes lists of words apart, each different list once.
struct WordLists<Word: RawRepresentable<String>> {
  private var read: [String: [Word]] = [:]

  /// The words of a list, or nil when one is unknown.
  mutating func read(_ list: String) -> [Word]? {
    guard !list.isEmpty else { return [] }
    if let words = read[list] { return words }
    var words: [Word] = []
    for entry in CatalogSchema.entries(of: list) {
      guard let word = Word(rawValue: entry) else { return nil }
      words.append(word)
    }
    read[list] = words
    return words
  }
}
