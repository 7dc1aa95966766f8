import Catalog
import JSON

/// The shop as it looks after a sync: what the upstream said, laid over what the shop knew.
///
/// Making it changes nothing. What failed is as it was: a product whose detail failed keeps the one it has, a section whose
/// list failed keeps its products, and only what a list really leaves out is missing here. What the upstream's surface has no
/// words for stays as it is, too: notices, stock, badges and a sold-out mark that its clients do not know, and the
/// collections where it has none.
public struct CatalogMirror: Sendable {
  /// The catalog to import.
  public let catalog: SeedCatalog
  /// What was odd about the upstream's data, and what was made of it, each once.
  public let oddities: [SyncOddity]
  /// What could not be taken.
  public let failures: [Harvest.Failure]
  /// What was chosen for a shop that did not exist yet.
  public let remarks: [String]

  /// Lays a harvest over the shop's catalog, hidden products included; over nothing for a new shop.
  ///
  /// - Throws: a rule that the whole would break. Each part has been made to fit, so this does not happen.
  public init(_ harvest: Harvest, over known: SeedCatalog?) throws(JSONRule) {
    var assembly = MirrorAssembly(harvest, over: known)
    assembly.placeProducts()
    catalog = try assembly.catalog()
    oddities = assembly.notes.oddities
    failures = assembly.failures
    remarks = assembly.remarks
  }
}

/// One assembly of a mirror.
struct MirrorAssembly {
  private(set) var notes: SyncNotes
  private(set) var failures: [Harvest.Failure]
  private(set) var remarks: [String] = []

  private let harvest: Harvest
  private let known: SeedCatalog?
  private let maker: MirroredProductMaker
  private let listed: [ProductID: SectionID]
  private var products: [Product] = []
  private var placed: Set<ProductID> = []
  private var pictureOwners: [PictureReference: ProductID] = [:]

  /// Where products stand that are among the best and in no section.
  private static let looseSection = (id: "best", name: "베스트")

  init(_ harvest: Harvest, over known: SeedCatalog?) {
    self.harvest = harvest
    self.known = known
    notes = harvest.notes
    failures = harvest.failures
    maker = MirroredProductMaker(harvest, over: known)
    var listed: [ProductID: SectionID] = [:]
    for section in harvest.sections {
      for listing in section.listings ?? [] where listed[listing.id] == nil { listed[listing.id] = section.id }
    }
    self.listed = listed
    if known == nil { remarks.append(maker.remark) }
  }

  // MARK: Products

  /// Puts every product where it belongs: section by section, then what stands in none of them.
  mutating func placeProducts() {
    for section in harvest.sections {
      if let listings = section.listings {
        for listing in listings { place(listing, in: section.id) }
      } else {
        keep { $0.section == section.id }
      }
    }
    let sections = Set(harvest.sections.map(\.id))
    for listing in harvest.loose where !placed.contains(listing.id) {
      let home = maker.known[listing.id]?.section
      if let home, !sections.contains(home) {
        place(listing, in: home)
      } else if let loose = try? SectionID(Self.looseSection.id) {
        if case .item = listing { notes.add(.onlyInBest(section: loose), of: listing.id.text) }
        place(listing, in: loose)
      }
    }
    // Without the collections nobody knows which of the others are still there.
    if case .unknown = harvest.best { keep { !sections.contains($0.section) } }
  }

  /// Keeps the shop's own products as they are, unless a list has them.
  private mutating func keep(_ isKept: (Product) -> Bool) {
    for product in known?.products ?? [] where isKept(product) && listed[product.id] == nil {
      guard placed.insert(product.id).inserted else { continue }
      do throws(JSONRule) {
        products.append(try maker.kept(product, in: product.section))
      } catch {
        fail(product.id, error)
      }
    }
  }

  private mutating func place(_ listing: UpstreamListing, in section: SectionID) {
    guard placed.insert(listing.id).inserted else { return }
    do throws(JSONRule) {
      switch listing {
      case .item(let item):
        products.append(try maker.product(item, in: section, notes: &notes))
        noteSharing(item)
      case .unreadable(let id):
        if let old = maker.known[id] { products.append(try maker.kept(old, in: section)) }
      }
    } catch {
      fail(listing.id, error)
    }
  }

  private mutating func noteSharing(_ item: UpstreamItem) {
    guard let image = item.image else { return }
    if let owner = pictureOwners[image] {
      notes.add(.sharedPicture(with: owner), of: item.id.text)
    } else {
      pictureOwners[image] = item.id
    }
  }

  private mutating func fail(_ id: ProductID, _ rule: JSONRule) {
    failures.append(Harvest.Failure(part: .product, subject: id.text, reason: rule.english))
  }

  // MARK: The whole

  /// The catalog of all products that were placed.
  mutating func catalog() throws(JSONRule) -> SeedCatalog {
    let shop = try maker.shop(delivery: commonDelivery)
    return try SeedCatalog.checked(
      shop: shop, sections: try sections(), products: products, collections: try collections())
  }

  /// What most products say about delivery; for a new shop what the most say, should they not be half.
  private var commonDelivery: DeliveryTerms? {
    var counts: [DeliveryTerms: Int] = [:]
    var order: [DeliveryTerms] = []
    for terms in products.compactMap(\.delivery) {
      if counts[terms] == nil { order.append(terms) }
      counts[terms, default: 0] += 1
    }
    let total = counts.values.reduce(0, +)
    guard let most = order.max(by: { counts[$0, default: 0] < counts[$1, default: 0] }) else { return nil }
    return known == nil || counts[most, default: 0] * 2 > total ? most : nil
  }

  private mutating func sections() throws(JSONRule) -> [Section] {
    var sections: [Section] = []
    for section in harvest.sections { sections.append(try self.section(section)) }
    let needed = Set(products.map(\.section)).subtracting(sections.map(\.id))
    sections += known?.sections.filter { needed.contains($0.id) } ?? []
    let missing = needed.subtracting(sections.map(\.id))
    for id in missing.sorted(by: { $0.text < $1.text }) {
      let name = id.text == Self.looseSection.id ? Self.looseSection.name : id.text
      sections.append(try Section(id: id, name: name, title: ""))
    }
    return sections
  }

  private mutating func section(_ harvested: HarvestedSection) throws(JSONRule) -> Section {
    let old = known?.sections.first { $0.id == harvested.id }
    let fixed = CompatibleSurface.fixedSections.first { $0.id == harvested.id.text }
    let name = harvested.name.map { fitted($0, .sectionName, "name", harvested.id) }
    let title = harvested.title.map { fitted($0, .sectionTitle, "description", harvested.id) }
    return try Section(
      id: harvested.id, name: name.flatMap { $0.isEmpty ? nil : $0 } ?? old?.name ?? fixed?.name ?? harvested.id.text,
      title: title ?? old?.title ?? fixed?.title ?? "")
  }

  private mutating func fitted(_ text: String, _ place: FittedText.Place, _ key: String, _ id: SectionID) -> String {
    let fitted = FittedText(text, for: place)
    if fitted.isCut { notes.add(.longText(key: key, limit: place.limit), of: id.text) }
    if fitted.hadControls { notes.add(.controlCharacters(key: key), of: id.text) }
    return fitted.text
  }

  /// The upstream's collections, or the shop's own where it has told of none.
  private func collections() throws(JSONRule) -> [ProductCollection] {
    let present = Set(products.map(\.id))
    var collections: [ProductCollection] = []
    if case .collections(let found) = harvest.best {
      for collection in found {
        collections.append(
          try ProductCollection(
            id: collection.id, name: collection.name, products: collection.products.filter(present.contains)))
      }
    } else {
      for collection in known?.collections ?? [] {
        collections.append(
          try ProductCollection(
            id: collection.id, name: collection.name, products: collection.products.filter(present.contains)))
      }
    }
    return collections
  }
}
