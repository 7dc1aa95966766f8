extension SyncOddity: CustomStringConvertible {
  /// One line: whose, what was found, and what was done.
  public var description: String { "\(subject): \(kind)".plainLine }
}

extension SyncOddity.Kind: CustomStringConvertible {
  /// What was found, and what was done.
  public var description: String {
    switch self {
    case .listPriceNotAbove(let listPrice, let price):
      "the list price \(listPrice.tag) is not above the price \(price.tag): sold without a list price"
    case .priceForm(let key, let found, let taken): "\(key) is written \(found): taken as \(taken.tag)"
    case .unreadableListPrice(let found): "the list price \(found) is no price: sold without a list price"
    case .onlyListPrice(let price): "there is a list price and no price: sold for \(price.tag)"
    case .detailPrices(let found, let kept): "the detail's prices are \(found): the list's, \(kept), are kept"
    case .badgeTypo(let found, let taken): "the badge \(found) is taken as \(taken)"
    case .unknownBadge(let found): "the badge \(found) is not known: left out"
    case .noDeliveryType: "no way of sending is named: the shop's is taken"
    case .unknownDeliveryType(let found): "the way of sending \(found) is not known: left out"
    case .repeatedHash(let first, let again): "stands in \(first) and again in \(again): the first place is kept"
    case .sharedPicture(let other): "has the same list picture as \(other): kept for both"
    case .tooManyPictures(let key, let count, let taken): "\(key) has \(count) pictures: the first \(taken) are taken"
    case .unusablePicture(let key, let found, let reason):
      "\(key) has the address \(found), which is not fetched (\(reason)): left out"
    case .relativePicture(let key, let found): "\(key) has the address \(found): resolved against the upstream's"
    case .blanksAroundPicture(let key): "\(key) has blanks around an address: taken without"
    case .noPicture(let instead): "the list has no picture: \(instead) stands there"
    case .otherTopPicture(let found):
      "the detail shows \(found) first, and the list another picture: the list's is kept"
    case .longText(let key, let limit): "\(key) has more than \(limit) characters: cut"
    case .controlCharacters(let key): "\(key) has line breaks or control characters: taken out"
    case .noTitle(let instead): "there is no title: \(instead) is taken"
    case .wrongType(let key, let found): "\(key) is \(found): passed over"
    case .otherType(let key, let found): "\(key) is \(found): taken as a text"
    case .onlyInBest(let section): "stands among the best and in no section: put into the section \(section)"
    case .repeatedCollection: "the collection comes twice: the first is kept"
    }
  }
}
