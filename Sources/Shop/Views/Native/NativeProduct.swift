import Catalog
import Images
import JSON
import Text

/// One product as the native API shows it.
enum NativeProduct {
  /// The form in lists, kept with the entry.
  static func summary(of entry: ProductEntry) -> RenderedPiece {
    entry.memo.value(of: MemoKey.nativeSummary) {
      var json = JSONWriter(capacity: 1_280)
      json.object { writeSummary(of: entry, to: &$0) }
      return RenderedPiece(json.bytes)
    }
  }

  /// The form on its own. It is rendered each time, as details are looked at one by one and are large.
  static func detail(of entry: ProductEntry) -> RenderedPiece {
    var json = JSONWriter(capacity: 4_096)
    json.object { json in
      writeSummary(of: entry, to: &json)
      writeRest(of: entry, to: &json)
    }
    return RenderedPiece(json.bytes)
  }

  private static func writeSummary(of entry: ProductEntry, to json: inout JSONWriter) {
    let product = entry.product
    json.member("id", product.id.text)
    json.member("section", entry.section.id.text)
    json.member("title", product.title)
    json.member("description", product.description)
    json.key("price")
    write(product.price, to: &json)
    json.key("listPrice")
    if let listPrice = product.listPrice { write(listPrice, to: &json) } else { json.writeNull() }
    json.key("discountPercent")
    json.write(orNull: product.discountPercent)
    json.key("badges")
    json.array { json in
      for badge in product.badges { write(id: badge.rawValue, text: badge.word, to: &json) }
    }
    json.key("deliveryTypes")
    json.array { json in
      for type in entry.deliveryTypes { write(id: type.rawValue, text: type.word, to: &json) }
    }
    json.member("status", product.status.rawValue)
    json.key("stock")
    json.write(orNull: product.stock)
    json.key("image")
    write(entry.image, of: entry, to: &json)
    json.member("href", "/api/v1/products/\(product.id)")
  }

  private static func writeRest(of entry: ProductEntry, to json: inout JSONWriter) {
    json.key("images")
    json.array { json in
      for picture in entry.images { write(picture, of: entry, to: &json) }
    }
    json.key("details")
    json.array { json in
      for picture in entry.details { write(picture, of: entry, to: &json) }
    }
    json.key("notices")
    json.array { json in
      for notice in entry.product.notices {
        json.object { json in
          json.member("label", notice.label)
          json.member("value", notice.value)
        }
      }
    }
    json.member("points", entry.product.points)
    json.key("delivery")
    json.object { json in
      json.member("info", entry.delivery.info)
      json.member("fee", entry.delivery.fee)
      json.key("freeFrom")
      json.write(orNull: entry.shop.profile.freeFrom?.amount)
    }
    json.key("createdAt")
    json.writePlain { Timestamp.appendRFC3339(entry.createdAt, to: &$0) }
    json.key("updatedAt")
    json.writePlain { Timestamp.appendRFC3339(entry.updatedAt, to: &$0) }
  }

  private static func write(_ amount: Won, to json: inout JSONWriter) {
    json.object { json in
      json.member("amount", amount.amount)
      json.member("currency", "KRW")
      json.member("text", amount.tag)
    }
  }

  private static func write(id: String, text: String, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("text", text)
    }
  }

  /// A picture, or the placeholder in its place: under its own name, with what is known of it.
  private static func write(_ picture: Picture, of entry: ProductEntry, to json: inout JSONWriter) {
    let picture = entry.shown(picture)
    let id = picture.id
    json.object { json in
      json.member("id", id.description)
      json.member("alt", entry.alt)
      json.members(of: picture.state.facts)
      json.key("urls")
      json.object { json in
        json.key("thumb")
        json.write(picture, id: id, size: .thumb)
        json.key("medium")
        json.write(picture, id: id, size: .medium)
        json.key("large")
        json.write(picture, id: id, size: .large)
        json.key("original")
        json.write(picture, id: id, size: .original)
      }
    }
  }
}

/// The numbers under which views keep what they made of an entry.
enum MemoKey {
  /// The native API's summary.
  static let nativeSummary = 0
  /// A compatible surface's item, by its place in the list of surfaces.
  static func item(ofSurface index: Int) -> Int { 1 + index }
}
