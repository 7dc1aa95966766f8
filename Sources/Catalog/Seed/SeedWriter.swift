import JSON

/// Writes a catalog as a seed file in canonical form.
///
/// Canonical is: the key order of the schema, two spaces a level, one newline at the end, and no optional key whose value is
/// its default: `alt` like the title, the shop's own delivery, `onSale`, a gallery of the list's picture alone, and whatever
/// is null or an empty list. Reading such a file and writing it again gives the same bytes.
public enum SeedWriter {
  /// The bytes of the file.
  public static func write(_ catalog: SeedCatalog) -> [UInt8] {
    var json = JSONWriter(.pretty, capacity: 4_096 + catalog.products.count * 1_024)
    json.object { json in
      json.key("shop")
      write(catalog.shop, to: &json)
      json.key("sections")
      json.array { json in
        for section in catalog.sections { write(section, to: &json) }
      }
      json.key("products")
      json.array { json in
        for product in catalog.products { write(product, to: &json) }
      }
      json.key("collections")
      json.array { json in
        for collection in catalog.collections { write(collection, to: &json) }
      }
    }
    json.finishFile()
    return json.bytes
  }

  private static func write(_ shop: ShopProfile, to json: inout JSONWriter) {
    json.object { json in
      json.member("name", shop.name)
      json.member("placeholder", shop.placeholder.description)
      json.key("delivery")
      json.object { json in
        json.member("types", shop.deliveryTypes.map(\.rawValue))
        json.member("info", shop.delivery.info)
        json.member("fee", shop.delivery.fee)
        json.key("freeFrom")
        if let freeFrom = shop.freeFrom { json.write(freeFrom.amount) } else { json.writeNull() }
      }
    }
  }

  private static func write(_ section: Section, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", section.id.text)
      json.member("name", section.name)
      json.member("title", section.title)
    }
  }

  private static func write(_ product: Product, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", product.id.text)
      json.member("section", product.section.text)
      json.member("title", product.title)
      json.member("description", product.description)
      if let alt = product.alt { json.member("alt", alt) }
      json.member("price", product.price.amount)
      if let listPrice = product.listPrice { json.member("listPrice", listPrice.amount) }
      if !product.badges.isEmpty { json.member("badges", product.badges.map(\.rawValue)) }
      if let types = product.deliveryTypes { json.member("deliveryTypes", types.map(\.rawValue)) }
      if product.status != .onSale { json.member("status", product.status.rawValue) }
      if let stock = product.stock { json.member("stock", stock) }
      json.member("image", product.image.description)
      if product.images != [product.image] { json.member("images", product.images.map(\.description)) }
      if !product.details.isEmpty { json.member("details", product.details.map(\.description)) }
      if !product.notices.isEmpty {
        json.key("notices")
        json.array { json in
          for notice in product.notices { write(notice, to: &json) }
        }
      }
      if let delivery = product.delivery {
        json.key("delivery")
        json.object { json in
          json.member("info", delivery.info)
          json.member("fee", delivery.fee)
        }
      }
    }
  }

  private static func write(_ notice: Notice, to json: inout JSONWriter) {
    json.object { json in
      json.member("label", notice.label)
      json.member("value", notice.value)
    }
  }

  private static func write(_ collection: ProductCollection, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", collection.id.text)
      json.member("name", collection.name)
      json.member("products", collection.products.map(\.text))
    }
  }
}
