/// All pictures by reference, so that each is one object however many products show it.
struct PictureBook {
  private(set) var pictures: [PictureReference: Picture]

  init(_ pictures: [PictureReference: Picture] = [:]) { self.pictures = pictures }

  /// Notes a picture with its state.
  mutating func add(_ picture: Picture) { pictures[picture.reference] = picture }

  /// The picture of a reference; an unknown one when there was none.
  mutating func picture(_ reference: PictureReference) -> Picture {
    if let picture = pictures[reference] { return picture }
    let picture = Picture(reference)
    pictures[reference] = picture
    return picture
  }

  /// The pictures that a catalog refers to. Others were known once; the database keeps them.
  func referred(by entries: [ProductEntry], _ shop: ShopEntry) -> [PictureReference: Picture] {
    var referred: [PictureReference: Picture] = [:]
    referred.reserveCapacity(pictures.count)
    referred[shop.placeholder.reference] = shop.placeholder
    for entry in entries {
      referred[entry.image.reference] = entry.image
      for picture in entry.images { referred[picture.reference] = picture }
      for picture in entry.details { referred[picture.reference] = picture }
    }
    return referred
  }
}
