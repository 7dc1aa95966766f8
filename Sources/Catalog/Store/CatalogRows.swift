import SQLite

/// Writes values into the tables. Everything happens inside the caller's transaction.
struct CatalogRows {
  let database: Database

  func put(_ shop: ShopProfile) throws(SQLiteError) {
    let put = try database.prepare("INSERT OR REPLACE INTO shop VALUES (1, ?, ?, ?, ?, ?, ?)")
    try put.bind(shop.name, at: 1)
    try put.bind(shop.placeholder.description, at: 2)
    try put.bind(CatalogSchema.list(shop.deliveryTypes.map(\.rawValue)), at: 3)
    try put.bind(shop.delivery.info, at: 4)
    try put.bind(shop.delivery.fee, at: 5)
    try put.bind(shop.freeFrom?.amount, at: 6)
    try put.run()
  }

  func put(_ sections: [CatalogLayout.SectionPlace]) throws(SQLiteError) {
    let put = try database.prepare(
      """
      INSERT INTO section (id, position, hidden, name, title) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET position = excluded.position, hidden = excluded.hidden, name = excluded.name,
        title = excluded.title
      """)
    for (position, place) in sections.enumerated() {
      try put.bind(place.section.id.text, at: 1)
      try put.bind(Int64(position), at: 2)
      try put.bind(place.isHidden ? 1 : 0 as Int64, at: 3)
      try put.bind(place.section.name, at: 4)
      try put.bind(place.section.title, at: 5)
      try put.run()
    }
  }

  func delete(_ sections: [SectionID]) throws(SQLiteError) {
    let delete = try database.prepare("DELETE FROM section WHERE id = ?")
    for id in sections { try delete.run([.text(id.text)]) }
  }

  /// A product with its place in the shop and its times.
  struct ProductRecord {
    let product: Product
    let position: Int
    let createdAt: Int64
    let updatedAt: Int64
  }

  func put(_ records: [ProductRecord]) throws(SQLiteError) {
    let columns = [
      "id", "section", "position", "title", "description", "alt", "price", "list_price", "badges", "delivery_types",
      "status", "stock", "image", "images", "details", "notices", "delivery_info", "delivery_fee", "created_at",
      "updated_at",
    ]
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let updates = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let put = try database.prepare(
      "INSERT INTO product (\(columns.joined(separator: ", "))) VALUES (\(marks)) ON CONFLICT (id) DO UPDATE SET \(updates)"
    )
    for record in records {
      try bind(record, to: put)
      try put.run()
    }
  }

  private func bind(_ record: ProductRecord, to put: Statement) throws(SQLiteError) {
    let product = record.product
    try put.bind(product.id.text, at: 1)
    try put.bind(product.section.text, at: 2)
    try put.bind(Int64(record.position), at: 3)
    try put.bind(product.title, at: 4)
    try put.bind(product.description, at: 5)
    try put.bind(product.alt, at: 6)
    try put.bind(product.price.amount, at: 7)
    try put.bind(product.listPrice?.amount, at: 8)
    try put.bind(CatalogSchema.list(product.badges.map(\.rawValue)), at: 9)
    try put.bind(product.deliveryTypes.map { CatalogSchema.list($0.map(\.rawValue)) }, at: 10)
    try put.bind(product.status.rawValue, at: 11)
    try put.bind(product.stock, at: 12)
    try put.bind(product.image.description, at: 13)
    try put.bind(
      product.images == [product.image] ? nil : CatalogSchema.list(product.images.map(\.description)), at: 14)
    try put.bind(CatalogSchema.list(product.details.map(\.description)), at: 15)
    try put.bind(product.notices.packed, at: 16)
    try put.bind(product.delivery?.info, at: 17)
    try put.bind(product.delivery?.fee, at: 18)
    try put.bind(record.createdAt, at: 19)
    try put.bind(record.updatedAt, at: 20)
  }

  func move(_ products: [(id: ProductID, position: Int)]) throws(SQLiteError) {
    let move = try database.prepare("UPDATE product SET position = ? WHERE id = ?")
    for (id, position) in products { try move.run([.integer(Int64(position)), .text(id.text)]) }
  }

  func delete(_ products: [ProductID]) throws(SQLiteError) {
    let delete = try database.prepare("DELETE FROM product WHERE id = ?")
    for id in products { try delete.run([.text(id.text)]) }
  }

  func replace(_ collections: [ProductCollection]) throws(SQLiteError) {
    try database.execute("DELETE FROM collection")
    let put = try database.prepare("INSERT INTO collection (id, position, name) VALUES (?, ?, ?)")
    let member = try database.prepare("INSERT INTO collection_product (collection, position, product) VALUES (?, ?, ?)")
    for (position, collection) in collections.enumerated() {
      try put.run([.text(collection.id.text), .integer(Int64(position)), .text(collection.name)])
      for (place, product) in collection.products.enumerated() {
        try member.run([.text(collection.id.text), .integer(Int64(place)), .text(product.text)])
      }
    }
  }

  func publish(version: Int64, at time: Int64) throws(SQLiteError) {
    try database.run("UPDATE publication SET version = ?, published_at = ?", .integer(version), .integer(time))
  }
}
