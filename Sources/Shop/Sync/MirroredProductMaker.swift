import Catalog
import JSON
import Text

/// Makes a product out of what the upstream's list and detail say and what the shop knew.
struct MirroredProductMaker: Sendable {
  /// The shop's products, hidden ones included.
  let known: [ProductID: Product]
  /// What was chosen for a new shop, as a sentence.
  let remark: String

  private let details: [ProductID: UpstreamDetail]
  private let knownShop: ShopProfile?
  private let foundPlaceholder: PictureReference?
  private let badgeRule: BadgeRule?

  /// What a shop is called before anybody names it.
  private static let newName = "반찬"
  /// What stands for missing pictures in a shop without any.
  private static let newPlaceholder = "images/placeholder.jpg"

  init(_ harvest: Harvest, over catalog: SeedCatalog?) {
    known = Dictionary(catalog?.products.map { ($0.id, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    details = harvest.details
    knownShop = catalog?.shop
    badgeRule = harvest.surface.badgeRules.first
    let items = harvest.sections.flatMap { $0.listings ?? [] } + harvest.loose
    let first = items.lazy.compactMap { listing -> UpstreamItem? in
      guard case .item(let item) = listing, item.image != nil else { return nil }
      return item
    }.first
    foundPlaceholder = catalog?.shop.placeholder ?? first?.image
    let picture = first.map { "the picture of \($0.id)" } ?? Self.newPlaceholder
    remark = "the shop is new: it is called \(Self.newName), and \(picture) stands where another has failed for good"
  }

  /// The shop's profile: its own, with what is said about delivery.
  func shop(delivery: DeliveryTerms?) throws(JSONRule) -> ShopProfile {
    let terms: DeliveryTerms
    if let said = delivery ?? knownShop?.delivery { terms = said } else { terms = try DeliveryTerms(info: "", fee: "") }
    let freeFrom = knownShop?.delivery.fee == terms.fee ? knownShop?.freeFrom : Self.freeLimit(in: terms.fee)
    return try ShopProfile(
      name: knownShop?.name ?? Self.newName, placeholder: try placeholder,
      deliveryTypes: knownShop?.deliveryTypes ?? DeliveryType.allCases, delivery: terms, freeFrom: freeFrom)
  }

  /// A product as the shop knew it, saying for itself what the shop said for it until now.
  func kept(_ product: Product, in section: SectionID) throws(JSONRule) -> Product {
    try Product(
      id: product.id, section: section, title: product.title, description: product.description, alt: product.alt,
      price: product.price, listPrice: product.listPrice, badges: product.badges, deliveryTypes: product.deliveryTypes,
      status: product.status, stock: product.stock, image: product.image, images: product.images,
      details: product.details, notices: Array(product.notices), delivery: product.delivery ?? knownShop?.delivery)
  }

  /// A product of the upstream.
  func product(_ item: UpstreamItem, in section: SectionID, notes: inout SyncNotes) throws(JSONRule) -> Product {
    let old = known[item.id]
    let detail = details[item.id]
    let image = try image(of: item, old: old, detail: detail, notes: &notes)
    let gallery = gallery(old: old, detail: detail)
    if let top = detail?.topPicture, top != image, gallery?.contains(top) != true {
      notes.add(.otherTopPicture(found: top.description), of: item.id.text)
    }
    notePrices(of: item, detail: detail, notes: &notes)
    return try Product(
      id: item.id, section: section, title: item.title,
      description: item.description ?? detail?.description ?? old?.description ?? "", alt: item.alt, price: item.price,
      listPrice: item.listPrice, badges: badges(of: item, old: old), deliveryTypes: item.deliveryTypes,
      status: status(of: item, old: old), stock: old?.stock, image: image, images: gallery,
      details: detail?.details ?? old?.details ?? [], notices: old.map { Array($0.notices) } ?? [],
      delivery: try delivery(old: old, detail: detail))
  }

  // MARK: Parts

  private func image(
    of item: UpstreamItem, old: Product?, detail: UpstreamDetail?, notes: inout SyncNotes
  ) throws(JSONRule) -> PictureReference {
    if let image = item.image { return image }
    let other = [(old?.image, "the one it had"), (detail?.topPicture ?? detail?.gallery?.first, "the detail's")]
    for case (let picture?, let name) in other {
      notes.add(.noPicture(instead: name), of: item.id.text)
      return picture
    }
    notes.add(.noPicture(instead: "the shop's placeholder"), of: item.id.text)
    return try placeholder
  }

  private var placeholder: PictureReference {
    get throws(JSONRule) {
      if let foundPlaceholder { return foundPlaceholder }
      return try PictureReference(Self.newPlaceholder)
    }
  }

  /// Nil is a gallery of the list's picture alone.
  private func gallery(old: Product?, detail: UpstreamDetail?) -> [PictureReference]? {
    if let gallery = detail?.gallery { return gallery }
    if let old { return old.images == [old.image] ? nil : old.images }
    return detail?.topPicture.map { [$0] }
  }

  private func badges(of item: UpstreamItem, old: Product?) -> [Badge] {
    let unspoken = old?.badges.filter { badgeRule?.words[$0] == nil && !item.badges.contains($0) } ?? []
    return item.badges + unspoken
  }

  private func status(of item: UpstreamItem, old: Product?) -> ProductStatus {
    if item.isSoldOut { return .soldOut }
    return badgeRule?.soldOut == nil && old?.status == .soldOut ? .soldOut : .onSale
  }

  private func delivery(old: Product?, detail: UpstreamDetail?) throws(JSONRule) -> DeliveryTerms? {
    let before = old.flatMap { $0.delivery ?? knownShop?.delivery }
    guard detail?.deliveryInfo != nil || detail?.deliveryFee != nil else { return before }
    return try DeliveryTerms(
      info: detail?.deliveryInfo ?? before?.info ?? "", fee: detail?.deliveryFee ?? before?.fee ?? "")
  }

  private func notePrices(of item: UpstreamItem, detail: UpstreamDetail?, notes: inout SyncNotes) {
    guard let found = detail?.prices, found != item.listedPrices else { return }
    let kept = [item.listPrice, item.price].compactMap { $0?.tag }.joined(separator: ", ")
    let said = found.isEmpty ? "none" : found.map(\.tag).joined(separator: ", ")
    notes.add(.detailPrices(found: said, kept: kept), of: item.id.text)
  }

  /// The sum in `2,500원 (40,000원 이상 구매 시 무료)`, from which delivery is free.
  static func freeLimit(in fee: String) -> Won? {
    let bytes = Array(fee.utf8)
    let mark = Array("원 이상".utf8)
    guard fee.contains("무료"), bytes.count > mark.count,
      let end = (0..<bytes.count - mark.count).first(where: { bytes[$0...].starts(with: mark) })
    else { return nil }
    let digits = bytes[..<end].reversed().prefix { $0 == UInt8(ascii: ",") || (0x30...0x39).contains($0) }
      .reversed().filter { $0 != UInt8(ascii: ",") }
    return (try? Decimal.parse(digits, as: Int64.self)).flatMap { try? Won($0) }
  }
}
