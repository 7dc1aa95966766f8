import Catalog

/// Something about an upstream's data that its contract does not have, and what was made of it.
public struct SyncOddity: Hashable, Sendable {
  /// Which product it is about, by its hash; or which section or collection.
  public let subject: String
  /// What it is.
  public let kind: Kind

  /// What can be odd. Texts are the upstream's own, shortened where they are long.
  public enum Kind: Hashable, Sendable {
    /// The list price is not above the price.
    case listPriceNotAbove(listPrice: Won, price: Won)
    /// A price is written in another form than its surface writes it.
    case priceForm(key: String, found: String, taken: Won)
    /// The list price is no price.
    case unreadableListPrice(found: String)
    /// There is a list price and no price.
    case onlyListPrice(Won)
    /// The detail's prices are not the list's.
    case detailPrices(found: String, kept: String)
    /// A badge word that one letter or two make a known one.
    case badgeTypo(found: String, taken: String)
    /// A badge word that nobody knows.
    case unknownBadge(found: String)
    /// No way of sending is named.
    case noDeliveryType
    /// A way of sending that nobody knows.
    case unknownDeliveryType(found: String)
    /// The hash stood in a list before.
    case repeatedHash(first: String, again: String)
    /// Two products have one list picture.
    case sharedPicture(with: ProductID)
    /// More pictures than are taken.
    case tooManyPictures(key: String, count: Int, taken: Int)
    /// A picture's address cannot be used.
    case unusablePicture(key: String, found: String, reason: String)
    /// A picture's address is no whole URL.
    case relativePicture(key: String, found: String)
    /// Blanks around a picture's address.
    case blanksAroundPicture(key: String)
    /// The list has no picture that can be used.
    case noPicture(instead: String)
    /// The detail's large picture is not the list's, and not in the gallery.
    case otherTopPicture(found: String)
    /// A text is longer than the shop takes.
    case longText(key: String, limit: Int)
    /// A text holds control characters.
    case controlCharacters(key: String)
    /// There is no title.
    case noTitle(instead: String)
    /// A value is of another type than the surface's, and was passed over.
    case wrongType(key: String, found: String)
    /// A value is of another type than the surface's, and could be read all the same.
    case otherType(key: String, found: String)
    /// The product stands in no section's list.
    case onlyInBest(section: SectionID)
    /// A collection's name or id stood there before.
    case repeatedCollection
  }
}

/// The oddities of a sync in the order in which they were met, each once.
struct SyncNotes: Equatable, Sendable {
  private(set) var oddities: [SyncOddity] = []
  private var known: Set<SyncOddity> = []

  mutating func add(_ kind: SyncOddity.Kind, of subject: String) {
    let oddity = SyncOddity(subject: subject, kind: kind)
    add(oddity)
  }

  mutating func add(_ others: SyncNotes) {
    for oddity in others.oddities { add(oddity) }
  }

  private mutating func add(_ oddity: SyncOddity) {
    if known.insert(oddity).inserted { oddities.append(oddity) }
  }
}
