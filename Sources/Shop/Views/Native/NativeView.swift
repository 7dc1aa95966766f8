import Catalog
import JSON

/// The catalog as the native API shows it.
///
/// Every key is always there, in the order of the schema, and null when unknown. A product's summary is rendered once and
/// kept with its entry, so a list is mostly copied together.
struct NativeView: Sendable {
  /// `/catalog`: everything, grouped.
  func catalog(_ snapshot: CatalogSnapshot, base: PublicBase) -> [UInt8] {
    answer(snapshot, capacity: snapshot.products.count * 1_280) { json in
      json.key("shop")
      json.object { $0.member("name", snapshot.shop.profile.name) }
      json.key("sections")
      json.array { json in
        for shelf in snapshot.sections { write(shelf, withProducts: true, base, to: &json) }
      }
      json.key("collections")
      json.array { json in
        for shelf in snapshot.collections {
          json.object { json in
            json.member("id", shelf.collection.id.text)
            json.member("name", shelf.collection.name)
            write(shelf.products, base, to: &json)
          }
        }
      }
    }
  }

  /// `/sections`: the sections without their products.
  func sections(_ snapshot: CatalogSnapshot, base: PublicBase) -> [UInt8] {
    answer(snapshot) { json in
      json.key("sections")
      json.array { json in
        for shelf in snapshot.sections { write(shelf, withProducts: false, base, to: &json) }
      }
    }
  }

  /// `/sections/{id}`: one with its products; nil when there is none of this id.
  func section(_ id: [UInt8], _ snapshot: CatalogSnapshot, base: PublicBase) -> [UInt8]? {
    guard let id = try? SectionID(String(decoding: id, as: UTF8.self)), let shelf = snapshot.section(id) else {
      return nil
    }
    return answer(snapshot, capacity: shelf.products.count * 1_280) { json in
      json.key("section")
      write(shelf, withProducts: true, base, to: &json)
    }
  }

  /// `/products/{id}`: one with everything; nil when there is none of this id.
  func product(_ id: [UInt8], _ snapshot: CatalogSnapshot, base: PublicBase) -> [UInt8]? {
    guard let id = try? ProductID(String(decoding: id, as: UTF8.self)), let entry = snapshot.product(id) else {
      return nil
    }
    return answer(snapshot) { json in
      json.key("product")
      json.writeRendered { NativeProduct.detail(of: entry).append(to: &$0, base: base) }
    }
  }

  /// An object that begins with the catalog's version.
  private func answer(
    _ snapshot: CatalogSnapshot, capacity: Int = 0, _ content: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var json = JSONWriter(capacity: capacity + 1_024)
    json.object { json in
      json.member("version", snapshot.version)
      content(&json)
    }
    return json.bytes
  }

  private func write(_ shelf: Shelf, withProducts: Bool, _ base: PublicBase, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", shelf.section.id.text)
      json.member("name", shelf.section.name)
      json.member("title", shelf.section.title)
      json.member("productCount", Int64(shelf.products.count))
      json.member("href", "/api/v1/sections/\(shelf.section.id)")
      if withProducts { write(shelf.products, base, to: &json) }
    }
  }

  private func write(_ products: ProductRow, _ base: PublicBase, to json: inout JSONWriter) {
    json.key("products")
    json.array { json in
      for entry in products {
        json.writeRendered { NativeProduct.summary(of: entry).append(to: &$0, base: base) }
      }
    }
  }
}
