/// The pictures whose state some news changes, and the snapshot after it.
struct PictureChanges {
  private let base: CatalogSnapshot
  /// The changed pictures by reference.
  private let changed: [PictureReference: Picture]

  init(_ news: [PictureNews], over base: CatalogSnapshot) {
    var states: [PictureReference: PictureState] = [:]
    for item in news {
      guard let picture = base.pictures[item.reference] else { continue }
      states[item.reference] = (states[item.reference] ?? picture.state).after(item.event)
    }
    self.base = base
    changed = states.reduce(into: [:]) { changed, new in
      if base.pictures[new.key]?.state != new.value { changed[new.key] = Picture(new.key, state: new.value) }
    }
  }

  var isEmpty: Bool { changed.isEmpty }
  var pictures: [Picture] { Array(changed.values) }

  /// The snapshot in which the changed pictures are new objects, and so are the products that show them.
  func snapshot(version: Int64, publishedAt: Int64) -> CatalogSnapshot {
    let outdated = Set(changed.keys.compactMap { base.pictures[$0].map(ObjectIdentifier.init) })
    let placeholder = base.shop.placeholder
    let shop = changed[placeholder.reference].map { ShopEntry(base.shop.profile, placeholder: $0) } ?? base.shop
    // Comparing addresses: a hundred thousand products are looked through in a few milliseconds.
    let entries = base.entries.map { entry in
      let isTouched =
        shop !== base.shop || outdated.contains(ObjectIdentifier(entry.image))
        || entry.images.contains { outdated.contains(ObjectIdentifier($0)) }
        || entry.details.contains { outdated.contains(ObjectIdentifier($0)) }
      return isTouched ? ProductEntry(entry, shop: shop, replacing: changed) : entry
    }
    var pictures = base.pictures
    for (reference, picture) in changed { pictures[reference] = picture }
    return CatalogSnapshot(
      version: version, publishedAt: publishedAt, shop: shop, pictures: pictures, entries: entries,
      layout: base.layout)
  }
}
