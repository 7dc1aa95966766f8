import SQLite

/// Reads a snapshot out of the database: one pass over each table.
///
/// What the rows hold was checked on its way in and is guarded by the tables' own checks, so it is not checked again; words
/// that no program of ours writes are damage.
struct CatalogLoader {
  let database: Database

  /// The snapshot that the database holds, from one consistent moment.
  func load() throws(CatalogStoreError) -> CatalogSnapshot {
    do {
      try database.execute("BEGIN")
      defer { try? database.execute("COMMIT") }
      return try snapshot()
    } catch let error as SQLiteError {
      throw .failed(error)
    } catch let error as Damage {
      throw .damaged(path: database.path, row: error.row)
    } catch {
      throw .damaged(path: database.path, row: "\(error)")
    }
  }

  /// A row that makes no sense.
  private struct Damage: Error {
    let row: String
  }

  private func snapshot() throws -> CatalogSnapshot {
    var book = PictureBook(try PictureTable(database: database).all())
    let profile = try shop() ?? .unnamed
    let shop = ShopEntry(profile, placeholder: book.picture(profile.placeholder))
    let sections = try sections()
    let entries = try products(
      sections: Dictionary(sections.map { ($0.section.id, $0.section) }, uniquingKeysWith: { first, _ in first }),
      shop: shop, pictures: &book)
    let layout = CatalogLayout(sections: sections, collections: try collections(), entries: entries)
    let publication = try database.prepare("SELECT version, published_at FROM publication")
    guard try publication.step() else { throw Damage(row: "publication") }
    return CatalogSnapshot(
      version: try publication.integer(0), publishedAt: try publication.integer(1), shop: shop,
      pictures: book.referred(by: entries, shop), entries: entries, layout: layout)
  }

  private func shop() throws -> ShopProfile? {
    let row = try database.prepare(
      "SELECT name, placeholder, delivery_types, delivery_info, delivery_fee, free_from FROM shop")
    guard try row.step() else { return nil }
    return ShopProfile(
      storedName: try row.text(0), placeholder: PictureReference(stored: try row.text(1)),
      deliveryTypes: try words(try row.text(2), row: "the shop"),
      delivery: DeliveryTerms(storedInfo: try row.text(3), fee: try row.text(4)),
      freeFrom: try row.optionalInteger(5).map(Won.init(stored:)))
  }

  private func sections() throws -> [CatalogLayout.SectionPlace] {
    let row = try database.prepare("SELECT id, name, title, hidden FROM section ORDER BY position, id")
    var sections: [CatalogLayout.SectionPlace] = []
    while try row.step() {
      let section = Section(stored: SectionID(stored: try row.text(0)), name: try row.text(1), title: try row.text(2))
      sections.append(CatalogLayout.SectionPlace(section: section, isHidden: try row.integer(3) != 0))
    }
    return sections
  }

  private func products(
    sections: [SectionID: Section], shop: ShopEntry, pictures: inout PictureBook
  ) throws -> [ProductEntry] {
    let row = try database.prepare(
      """
      SELECT id, section, title, description, alt, price, list_price, badges, delivery_types, status, stock, image, images,
        details, notices, delivery_info, delivery_fee, created_at, updated_at, position FROM product
      """)
    var placed: [(position: Int64, entry: ProductEntry)] = []
    while try row.step() {
      let product = try product(row)
      guard let section = sections[product.section] else { throw Damage(row: "product \(product.id)") }
      let entry = ProductEntry(
        product, section: section, shop: shop, createdAt: try row.integer(17), updatedAt: try row.integer(18),
        pictures: &pictures)
      placed.append((try row.integer(19), entry))
    }
    // The table's order is nearly the shop's, so this costs less than having SQLite sort whole rows.
    placed.sort { ($0.position, $0.entry.product.id.text) < ($1.position, $1.entry.product.id.text) }
    return placed.map(\.entry)
  }

  private func product(_ row: Statement) throws -> Product {
    let id = ProductID(stored: try row.text(0))
    guard let status = ProductStatus(rawValue: try row.text(9)) else { throw Damage(row: "product \(id)") }
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
      listPrice: try row.optionalInteger(6).map(Won.init(stored:)),
      badges: try words(try row.text(7), row: "product \(id)"),
      deliveryTypes: try row.optionalText(8).map { try words($0, row: "product \(id)") }, status: status,
      stock: try row.optionalInteger(10), image: image,
      images: try row.optionalText(12).map(references) ?? [image], details: references(try row.text(13)),
      notices: NoticeList(packed: try row.text(14)), delivery: terms)
  }

  private func collections() throws -> [ProductCollection] {
    let members = try database.prepare("SELECT product FROM collection_product WHERE collection = ? ORDER BY position")
    let row = try database.prepare("SELECT id, name FROM collection ORDER BY position, id")
    var collections: [ProductCollection] = []
    while try row.step() {
      let id = try row.text(0)
      try members.bind(id, at: 1)
      var products: [ProductID] = []
      while try members.step() { products.append(ProductID(stored: try members.text(0))) }
      collections.append(
        ProductCollection(stored: CollectionID(stored: id), name: try row.text(1), products: products))
    }
    return collections
  }

  private func words<Word: RawRepresentable<String>>(_ list: String, row: String) throws -> [Word] {
    try list.utf8.split(separator: 0x1F).map { part in
      guard let word = Word(rawValue: String(Substring(part))) else { throw Damage(row: row) }
      return word
    }
  }

  private func references(_ list: String) -> [PictureReference] {
    list.utf8.split(separator: 0x1F).map { PictureReference(stored: String(Substring($0))) }
  }
}
