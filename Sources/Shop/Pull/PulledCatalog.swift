import Catalog
import JSON

/// What a pull needs to know of the answer of `/api/v1/catalog`.
struct PulledCatalog: Sendable {
  let version: Int64
  /// The products in the order of the lists, each once.
  let products: [ProductID]
  /// The ids of the pictures in the lists, in their order, each once.
  let pictures: [String]

  /// Reads the answer; nil for anything else. Only what is an id becomes a file's name.
  init?(_ body: [UInt8]) {
    guard let value = try? JSONValue(parsing: body), let version = value["version"]?.integer,
      let sections = value["sections"]?.elements
    else { return nil }
    let collections = value["collections"]?.elements ?? []
    var products: [ProductID] = []
    var pictures: [String] = []
    var seen: Set<ProductID> = []
    var seenPictures: Set<String> = []
    for product in (sections + collections).flatMap({ $0["products"]?.elements ?? [] }) {
      guard let text = product["id"]?.text, let id = try? ProductID(text) else { return nil }
      guard seen.insert(id).inserted else { continue }
      products.append(id)
      if let picture = product["image"]?["id"]?.text, seenPictures.insert(picture).inserted { pictures.append(picture) }
    }
    self.version = version
    self.products = products
    self.pictures = pictures
  }
}
