import Catalog
import Client
import Images

/// Which pictures to have before anybody asks for them, in the order in which they will be wanted: the placeholder and the
/// pictures of the lists, then the galleries, then the long pictures of the details.
struct WarmingPlan: Sendable {
  /// Each picture that answers show, once.
  let pictures: [Picture]
  /// How many paths were left out, as nobody said which origin they are below.
  let relative: Int

  /// - Parameter hasBase: whether it is known which origin relative references are below.
  init(_ snapshot: CatalogSnapshot, hasBase: Bool) {
    var seen: Set<PictureReference> = []
    var pictures: [Picture] = []
    var relative = 0
    func add(_ picture: Picture) {
      guard seen.insert(picture.reference).inserted else { return }
      if hasBase || picture.reference.isAbsolute { pictures.append(picture) } else { relative += 1 }
    }
    let products = snapshot.products
    add(snapshot.shop.placeholder)
    for entry in products { add(entry.image) }
    for entry in products { entry.images.forEach(add) }
    for entry in products { entry.details.forEach(add) }
    self.pictures = pictures
    self.relative = relative
  }
}
