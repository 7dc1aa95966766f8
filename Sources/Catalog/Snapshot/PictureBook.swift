/// Hands out pictures by reference, so that each is one object however many products show it.
struct PictureBook {
  /// A picture, and whether anybody asked for it.
  private struct Slot {
    let picture: Picture
    var isUsed: Bool

    mutating func taken() -> Picture {
      isUsed = true
      return picture
    }
  }

  private var slots: [PictureReference: Slot]

  /// A book that knows some pictures, none of them asked for yet.
  init(known: consuming [PictureReference: Picture]) {
    slots = known.mapValues { Slot(picture: $0, isUsed: false) }
  }

  /// Notes a picture with its state.
  mutating func add(_ picture: Picture) { slots[picture.reference] = Slot(picture: picture, isUsed: false) }

  /// The picture of a reference; an unknown one when there was none.
  mutating func picture(_ reference: PictureReference) -> Picture {
    slots[reference, default: Slot(picture: Picture(reference), isUsed: true)].taken()
  }

  /// Notes that an entry is kept as it is, and its pictures with it.
  mutating func keep(_ entry: ProductEntry) {
    keep(entry.image)
    for picture in entry.images where picture !== entry.image { keep(picture) }
    for picture in entry.details { keep(picture) }
  }

  /// Notes that the shop is kept as it is.
  mutating func keep(_ shop: ShopEntry) { keep(shop.placeholder) }

  /// The pictures that were asked for. Others were known once; the database keeps them.
  var used: [PictureReference: Picture] { slots.compactMapValues { $0.isUsed ? $0.picture : nil } }

  private mutating func keep(_ picture: Picture) {
    slots[picture.reference] = Slot(picture: picture, isUsed: true)
  }
}
