import Catalog
import Client
import JSON

/// One product's values, read one after the other.
struct UpstreamReading {
  let subject: String
  let base: OriginURL
  var notes: SyncNotes

  mutating func note(_ kind: SyncOddity.Kind) { notes.add(kind, of: subject) }

  mutating func text(_ part: UpstreamParts.Part?, _ place: FittedText.Place) -> String? {
    guard let part else { return nil }
    guard case .string(let raw) = part.value else {
      note(.wrongType(key: part.key, found: part.value.summary))
      return nil
    }
    let fitted = FittedText(raw, for: place)
    if fitted.hadControls { note(.controlCharacters(key: part.key)) }
    if fitted.isCut { note(.longText(key: part.key, limit: place.limit)) }
    return fitted.text
  }

  mutating func title(_ part: UpstreamParts.Part?, alt: String?) throws(UpstreamProductReader.Unreadable) -> String {
    if let title = text(part, .title), !title.isEmpty { return title }
    let instead = alt.map { FittedText($0, for: .title).text } ?? ""
    guard !instead.isEmpty else { throw UpstreamProductReader.Unreadable(reason: "it has no title") }
    note(.noTitle(instead: "its alt, \(instead),"))
    return instead
  }

  // MARK: Prices

  mutating func prices(
    _ parts: UpstreamParts
  ) throws(UpstreamProductReader.Unreadable) -> (price: Won, listPrice: Won?, listed: [Won]) {
    var price: Won?
    if let part = parts[.price] { price = amount(part) }
    var listPrice: Won?
    if let part = parts[.listPrice] {
      listPrice = amount(part)
      if listPrice == nil { note(.unreadableListPrice(found: part.value.summary)) }
    }
    switch (price, listPrice) {
    case (let price?, nil): return (price, nil, [price])
    case (let price?, let listPrice?):
      guard listPrice > price else {
        note(.listPriceNotAbove(listPrice: listPrice, price: price))
        return (price, nil, [listPrice, price])
      }
      return (price, listPrice, [listPrice, price])
    case (nil, let listPrice?) where parts[.price] == nil:
      note(.onlyListPrice(listPrice))
      return (listPrice, nil, [listPrice])
    case (nil, _):
      let found = parts[.price].map { "its price \($0.value.summary) is none" } ?? "it has no price"
      throw UpstreamProductReader.Unreadable(reason: found)
    }
  }

  private mutating func amount(_ part: UpstreamParts.Part) -> Won? {
    guard let won = UpstreamPrice.won(part.value) else { return nil }
    let expected = part.form == .number ? won.grouped : won.tag
    if part.value != .string(expected) {
      note(.priceForm(key: part.key, found: part.value.summary, taken: won))
    }
    return won
  }

  /// The detail's prices; how they are written is not worth a line, as the list's are taken anyway.
  mutating func detailPrices(_ parts: UpstreamParts) -> [Won]? {
    if let part = parts[.prices] {
      guard case .array(let values) = part.value else {
        note(.wrongType(key: part.key, found: part.value.summary))
        return nil
      }
      return values.compactMap(UpstreamPrice.won)
    }
    let values = [parts[.listPrice], parts[.price]].compactMap { $0?.value }
    return values.isEmpty ? nil : values.compactMap(UpstreamPrice.won)
  }

  // MARK: Words

  /// The texts of a list; a single text counts as a list of one.
  private mutating func words(_ part: UpstreamParts.Part) -> [String] {
    switch part.value {
    case .array(let values):
      return values.compactMap { value in
        if case .string(let word) = value { return word }
        note(.wrongType(key: part.key, found: value.summary))
        return nil
      }
    case .string(let word):
      note(.otherType(key: part.key, found: part.value.summary))
      return word.isEmpty ? [] : [word]
    default:
      note(.wrongType(key: part.key, found: part.value.summary))
      return []
    }
  }

  mutating func badges(_ part: UpstreamParts.Part?) -> (badges: [Badge], isSoldOut: Bool) {
    guard let part else { return ([], false) }
    var badges: [Badge] = []
    var isSoldOut = false
    for word in words(part) {
      guard let (known, meaning) = UpstreamWords.badge(word) else {
        note(.unknownBadge(found: word.shortened))
        continue
      }
      if known != word { note(.badgeTypo(found: word.shortened, taken: known)) }
      switch meaning {
      case .soldOut: isSoldOut = true
      case .badge(let badge): if !badges.contains(badge) { badges.append(badge) }
      }
    }
    return (badges, isSoldOut)
  }

  mutating func deliveryTypes(_ part: UpstreamParts.Part?) -> [DeliveryType]? {
    var types: [DeliveryType] = []
    for word in part.map({ words($0) }) ?? [] {
      guard let type = UpstreamWords.deliveryType(word) else {
        note(.unknownDeliveryType(found: word.shortened))
        continue
      }
      if !types.contains(type) { types.append(type) }
    }
    guard types.isEmpty else { return types }
    note(.noDeliveryType)
    return nil
  }

  // MARK: Pictures

  mutating func picture(_ part: UpstreamParts.Part?) -> PictureReference? {
    part.flatMap { picture($0.value, key: $0.key) }
  }

  mutating func pictures(_ part: UpstreamParts.Part?, limit: Int) -> [PictureReference]? {
    guard let part else { return nil }
    let values: [JSONValue]
    switch part.value {
    case .array(let list): values = list
    case .string: values = [part.value]
    default:
      note(.wrongType(key: part.key, found: part.value.summary))
      return nil
    }
    if values.count > limit { note(.tooManyPictures(key: part.key, count: values.count, taken: limit)) }
    let pictures = values.prefix(limit).compactMap { picture($0, key: part.key) }
    // Where there were some and none can be used, nothing was said.
    return pictures.isEmpty && !values.isEmpty ? nil : pictures
  }

  private mutating func picture(_ value: JSONValue, key: String) -> PictureReference? {
    guard case .string(let text) = value else {
      note(.wrongType(key: key, found: value.summary))
      return nil
    }
    let address = UpstreamPicture(text, base: base)
    if address.hadBlanks { note(.blanksAroundPicture(key: key)) }
    switch address.outcome {
    case .absolute(let reference): return reference
    case .resolved(let reference):
      note(.relativePicture(key: key, found: value.summary))
      return reference
    case .empty: return nil
    case .unusable(let reason):
      note(.unusablePicture(key: key, found: value.summary, reason: reason))
      return nil
    }
  }
}
