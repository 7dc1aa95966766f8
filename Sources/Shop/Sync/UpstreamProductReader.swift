import Catalog
import Client
import JSON

/// Reads products out of an upstream's answers by its surface's tables. Odd values are noted and made the best of.
struct UpstreamProductReader {
  let surface: CompatibleSurface
  /// What relative picture addresses are resolved against.
  let base: OriginURL

  /// The most pictures of each kind that a product has.
  static let galleryLimit = 5
  static let detailsLimit = 50

  /// Why an entry of a list is no product.
  struct Unreadable: Error, Equatable {
    let reason: String
  }

  // MARK: Lists

  /// The id of an entry.
  func id(of entry: JSONValue) throws(Unreadable) -> ProductID {
    guard case .object(let members) = entry else { throw Unreadable(reason: "it is \(entry.summary), not an object") }
    let parts = UpstreamParts(members, by: surface.item)
    guard let part = parts[.id] else { throw Unreadable(reason: "it has no hash") }
    guard case .string(let text) = part.value, let id = try? ProductID(text) else {
      throw Unreadable(reason: "its hash \(part.value.summary) is none")
    }
    return id
  }

  /// An entry of a list.
  func item(_ id: ProductID, _ entry: JSONValue, notes: inout SyncNotes) throws(Unreadable) -> UpstreamItem {
    guard case .object(let members) = entry else { throw Unreadable(reason: "it is \(entry.summary), not an object") }
    let parts = UpstreamParts(members, by: surface.item)
    var reading = UpstreamReading(subject: id.text, base: base, notes: notes)
    defer { notes = reading.notes }
    let prices = try reading.prices(parts)
    let alt = reading.text(parts[.alt], .alt)
    let title = try reading.title(parts[.title], alt: alt)
    let (badges, isSoldOut) = reading.badges(parts[.badges])
    return UpstreamItem(
      id: id, title: title, description: reading.text(parts[.description], .productDescription),
      alt: alt.flatMap { $0.isEmpty ? nil : $0 }, price: prices.price, listPrice: prices.listPrice,
      listedPrices: prices.listed, badges: badges, isSoldOut: isSoldOut,
      deliveryTypes: reading.deliveryTypes(parts[.deliveryTypes]),
      image: reading.picture(parts[.picture]))
  }

  // MARK: Details

  /// A detail.
  func detail(
    of id: ProductID, _ value: JSONValue, notes: inout SyncNotes
  ) throws(UpstreamFault) -> UpstreamDetail {
    guard case .object(let members) = value else { throw .shape("\(value.summary) is no detail") }
    let parts = UpstreamParts(members, by: surface.detail)
    // A cache or router that mixes details up would otherwise mix the shop up.
    if let said = parts[.id]?.value, said != .string(id.text) {
      throw .shape("it is about \(said.summary)")
    }
    var reading = UpstreamReading(subject: id.text, base: base, notes: notes)
    let detail = UpstreamDetail(
      topPicture: reading.picture(parts[.picture]),
      gallery: reading.pictures(parts[.gallery], limit: Self.galleryLimit).flatMap { $0.isEmpty ? nil : $0 },
      details: reading.pictures(parts[.details], limit: Self.detailsLimit),
      description: reading.text(parts[.description], .productDescription),
      deliveryInfo: reading.text(parts[.deliveryInfo], .delivery),
      deliveryFee: reading.text(parts[.deliveryFee], .delivery),
      prices: reading.detailPrices(parts))
    guard !detail.isEmpty else { throw .shape("nothing in it is what a detail holds") }
    notes = reading.notes
    return detail
  }
}
