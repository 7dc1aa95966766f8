/// Where everything stands in a snapshot: a table of places, which stays the same object while only contents change.
final class CatalogLayout: Sendable {
  /// A section, and whether answers leave it out because an import no longer had it.
  struct SectionPlace: Equatable, Sendable {
    let section: Section
    let isHidden: Bool
  }

  /// All sections, those left out included.
  let sections: [SectionPlace]
  /// All collections, with hidden products too.
  let collections: [ProductCollection]
  /// Each product's place among the entries, hidden ones included.
  let places: [ProductID: Int]
  /// The places of the visible products.
  let visible: [Int]
  /// For each section in answers its place among `sections` and the places of its products.
  let shelves: [(section: Section, places: [Int])]
  let shelfOfSection: [SectionID: Int]
  let collectionPlaces: [[Int]]

  init(sections: [SectionPlace], collections: [ProductCollection], entries: [ProductEntry]) {
    var places: [ProductID: Int] = [:]
    places.reserveCapacity(entries.count)
    var visible: [Int] = []
    visible.reserveCapacity(entries.count)
    var placesOfSection: [SectionID: [Int]] = [:]
    for (place, entry) in entries.enumerated() {
      places[entry.product.id] = place
      guard entry.isVisible else { continue }
      visible.append(place)
      placesOfSection[entry.section.id, default: []].append(place)
    }
    let shown = sections.filter { !$0.isHidden }.map(\.section)
    self.sections = sections
    self.collections = collections
    self.places = places
    self.visible = visible
    shelves = shown.map { ($0, placesOfSection[$0.id] ?? []) }
    shelfOfSection = Dictionary(shown.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    collectionPlaces = collections.map { collection in
      collection.products.compactMap { id in places[id].flatMap { entries[$0].isVisible ? $0 : nil } }
    }
  }
}
