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
    } catch let error as DamagedRow {
      throw .damaged(path: database.path, row: error.name)
    } catch {
      throw .damaged(path: database.path, row: "\(error)")
    }
  }

  private func snapshot() throws -> CatalogSnapshot {
    var book = PictureBook(known: try PictureTable(database: database).all())
    let profile = try shop() ?? .unnamed
    let shop = ShopEntry(profile, placeholder: book.picture(profile.placeholder))
    let sections = try sections()
    var loader = ProductLoader(sections: sections.map(\.section), shop: shop, pictures: consume book)
    let entries = try loader.load(database)
    let layout = CatalogLayout(sections: sections, collections: try collections(), entries: entries)
    let publication = try database.prepare("SELECT version, published_at FROM publication")
    guard try publication.step() else { throw DamagedRow(name: "publication") }
    return CatalogSnapshot(
      version: try publication.integer(0), publishedAt: try publication.integer(1), shop: shop,
      pictures: loader.pictures.used, entries: entries, layout: layout)
  }

  private func shop() throws -> ShopProfile? {
    let row = try database.prepare(
      "SELECT name, placeholder, delivery_types, delivery_info, delivery_fee, free_from FROM shop")
    guard try row.step() else { return nil }
    return ShopProfile(
      storedName: try row.text(0), placeholder: PictureReference(stored: try row.text(1)),
      deliveryTypes: try deliveryTypes(try row.text(2)),
      delivery: DeliveryTerms(storedInfo: try row.text(3), fee: try row.text(4)),
      freeFrom: try row.optionalInteger(5).map(Won.init(stored:)))
  }

  private func deliveryTypes(_ list: String) throws -> [DeliveryType] {
    var lists = WordLists<DeliveryType>()
    guard let types = lists.read(list) else { throw DamagedRow(name: "the shop") }
    return types
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
}
