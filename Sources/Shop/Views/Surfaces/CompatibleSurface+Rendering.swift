import Catalog
import JSON

extension CompatibleSurface {
  /// The body of an answer; nil when there is no such section or product.
  ///
  /// - Parameter parameters: the decoded segments for the pattern's `{…}`, in order.
  func render(
    _ answer: Answer, parameters: [[UInt8]], _ snapshot: CatalogSnapshot, base: PublicBase
  ) -> [UInt8]? {
    let context = Context(snapshot: snapshot, base: base)
    switch answer {
    case .items: return context.shelf(parameters.first).map { items($0, context) }
    case .itemsOf(let section): return context.shelf(Array(section.utf8)).map { items($0, context) }
    case .item: return context.entry(parameters.last, in: parameters.first).map { item($0, context) }
    case .best: return best(context)
    case .collection: return context.collection(parameters.first).map { collection($0, context) }
    case .details: return details(context)
    case .detail: return context.entry(parameters.first).map { detail($0, context) }
    case .categories: return categories(context)
    case .category: return context.shelf(parameters.first).map { category($0, context) }
    }
  }

  /// What an answer is about.
  private struct Context {
    let snapshot: CatalogSnapshot
    let base: PublicBase

    func shelf(_ id: [UInt8]?) -> Shelf? {
      guard let id, let id = try? SectionID(String(decoding: id, as: UTF8.self)) else { return nil }
      return snapshot.section(id)
    }

    func collection(_ id: [UInt8]?) -> CollectionShelf? {
      guard let id else { return nil }
      return snapshot.collections.first { $0.collection.id.text.utf8.elementsEqual(id) }
    }

    func entry(_ id: [UInt8]?) -> ProductEntry? {
      guard let id, let id = try? ProductID(String(decoding: id, as: UTF8.self)) else { return nil }
      return snapshot.product(id)
    }

    func entry(_ id: [UInt8]?, in section: [UInt8]?) -> ProductEntry? {
      guard let entry = entry(id), let section, entry.section.id.text.utf8.elementsEqual(section) else { return nil }
      return entry
    }
  }

  // MARK: Answers

  private func items(_ shelf: Shelf, _ context: Context) -> [UInt8] {
    list(capacity: shelf.products.count * 640) { write(shelf.products, context, to: &$0) }
  }

  private func item(_ entry: ProductEntry, _ context: Context) -> [UInt8] {
    let piece = piece(of: entry)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(piece.count(with: context.base))
    piece.append(to: &bytes, base: context.base)
    return bytes
  }

  private func best(_ context: Context) -> [UInt8] {
    list { json in
      for shelf in context.snapshot.collections { write(shelf, context, to: &json) }
    }
  }

  private func collection(_ shelf: CollectionShelf, _ context: Context) -> [UInt8] {
    var json = JSONWriter(capacity: shelf.products.count * 640)
    write(shelf, context, to: &json)
    return json.bytes
  }

  private func write(_ shelf: CollectionShelf, _ context: Context, to json: inout JSONWriter) {
    json.object { json in
      json.member("category_id", shelf.collection.id.text)
      json.member("name", shelf.collection.name)
      json.key("items")
      json.array { write(shelf.products, context, to: &$0) }
    }
  }

  private func details(_ context: Context) -> [UInt8] {
    list(capacity: context.snapshot.products.count * 1_024) { json in
      for entry in context.snapshot.products {
        json.writeRendered { rendered(detail, of: entry).append(to: &$0, base: context.base) }
      }
    }
  }

  private func detail(_ entry: ProductEntry, _ context: Context) -> [UInt8] {
    var bytes: [UInt8] = []
    rendered(detail, of: entry).append(to: &bytes, base: context.base)
    return bytes
  }

  private func categories(_ context: Context) -> [UInt8] {
    list { json in
      for shelf in context.snapshot.sections {
        json.object { writeCategory(shelf, to: &$0) }
      }
    }
  }

  private func category(_ shelf: Shelf, _ context: Context) -> [UInt8] {
    var json = JSONWriter(capacity: shelf.products.count * 640)
    json.object { json in
      json.member("name", shelf.section.name)
      json.member("description", shelf.section.title)
      json.key("banchan")
      json.array { write(shelf.products, context, to: &$0) }
    }
    return json.bytes
  }

  private func writeCategory(_ shelf: Shelf, to json: inout JSONWriter) {
    json.member("name", shelf.section.name)
    json.member("description", shelf.section.title)
    json.member("path", shelf.section.id.text)
  }

  private func list(capacity: Int = 0, _ content: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter(capacity: capacity + 1_024)
    switch envelope {
    case .bare:
      json.array(content)
    case .statusCode:
      json.object { json in
        json.key("statusCode")
        json.write(200)
        json.key("body")
        json.array(content)
      }
    }
    return json.bytes
  }

  private func write(_ products: ProductRow, _ context: Context, to json: inout JSONWriter) {
    for entry in products {
      json.writeRendered { piece(of: entry).append(to: &$0, base: context.base) }
    }
  }

  /// An item, kept with its entry.
  private func piece(of entry: ProductEntry) -> RenderedPiece {
    entry.memo.value(of: memoKey) { rendered(item, of: entry) }
  }

  // MARK: Products

  private func rendered(_ fields: [Field], of entry: ProductEntry) -> RenderedPiece {
    var json = JSONWriter(capacity: 1_024)
    json.object { write(fields, of: entry, to: &$0) }
    return RenderedPiece(json.bytes)
  }

  private func write(_ fields: [Field], of entry: ProductEntry, to json: inout JSONWriter) {
    for field in fields { write(field, of: entry, to: &json) }
  }

  private func write(_ field: Field, of entry: ProductEntry, to json: inout JSONWriter) {
    let product = entry.product
    switch field.value {
    case .id: json.member(field.key, product.id.text)
    case .title: json.member(field.key, product.title)
    case .description: json.member(field.key, product.description)
    case .alt: json.member(field.key, entry.alt)
    case .picture(let size):
      json.key(field.key)
      json.write(entry.shown(entry.image), size: size)
    case .gallery(let size):
      json.key(field.key)
      json.array { json in for picture in entry.images { json.write(entry.shown(picture), size: size) } }
    case .details(let size):
      json.key(field.key)
      json.array { json in for picture in entry.details { json.write(entry.shown(picture), size: size) } }
    case .deliveryTypes: json.member(field.key, entry.deliveryTypes.map(\.word))
    case .price(let form): json.member(field.key, form.text(of: product.price))
    case .listPrice(let form):
      if let listPrice = product.listPrice { json.member(field.key, form.text(of: listPrice)) }
    case .prices: json.member(field.key, [product.listPrice, product.price].compactMap { $0?.tag })
    case .points: json.member(field.key, product.pointsTag)
    case .deliveryInfo: json.member(field.key, entry.delivery.info)
    case .deliveryFee: json.member(field.key, entry.delivery.fee)
    case .badges(let rule):
      if let words = rule.words(of: entry) { json.member(field.key, words) }
    case .object(let fields):
      json.key(field.key)
      json.object { write(fields, of: entry, to: &$0) }
    }
  }
}

extension CompatibleSurface.PriceForm {
  fileprivate func text(of amount: Won) -> String {
    switch self {
    case .number: amount.grouped
    case .tag: amount.tag
    }
  }
}
