import Catalog
import Client
import JSON

/// Asks an upstream for everything, one thing after the other, and gathers what it says.
struct Harvester {
  private(set) var harvest: Harvest

  private let upstream: Upstream
  private let surface: CompatibleSurface
  private let answers: UpstreamAnswers
  private let reader: UpstreamProductReader
  private let progress: @Sendable (SyncProgress) -> Void
  /// The section that each product was met in first.
  private var places: [ProductID: SectionID] = [:]
  private var looseIDs: Set<ProductID> = []

  init(upstream: Upstream, surface: CompatibleSurface, progress: @escaping @Sendable (SyncProgress) -> Void) {
    self.upstream = upstream
    self.surface = surface
    self.progress = progress
    harvest = Harvest(surface: surface)
    answers = UpstreamAnswers(surface: surface)
    let folder = try? OriginURL.resolving(reference: Array("main".utf8), in: upstream.base)
    reader = UpstreamProductReader(surface: surface, base: folder ?? upstream.base)
  }

  // MARK: Lists

  /// Takes the sections' lists. One that fails is noted, and the others are taken.
  mutating func takeLists() async {
    for section in await sections() {
      var section = section
      do throws(UpstreamFault) {
        let (entries, category) = try await upstream.ask(answers.listPath(section.id)) {
          (answer) throws(UpstreamFault) in try answers.list(answer)
        }
        // The list of sections has said it already; a list may know better than none.
        section.name = section.name ?? category?.name
        section.title = section.title ?? category?.title
        section.listings = listings(entries, in: section.id)
        progress(.listed(section.id.text, products: section.listings?.count ?? 0))
      } catch {
        harvest.fail(.section, section.id.text, error.description)
        progress(.failed(section.id.text, reason: error.description))
      }
      harvest.sections.append(section)
    }
    settle()
  }

  private mutating func sections() async -> [HarvestedSection] {
    guard let path = answers.categoriesPath else {
      return CompatibleSurface.fixedSections.compactMap { section in
        (try? SectionID(section.id)).map { HarvestedSection(id: $0) }
      }
    }
    do throws(UpstreamFault) {
      let categories = try await upstream.ask(path) { (answer) throws(UpstreamFault) in try answers.categories(answer) }
      var seen: Set<SectionID> = []
      return categories.compactMap { category in
        guard case .string(let text) = category.path, let id = try? SectionID(text) else {
          harvest.fail(.section, (category.name ?? path).shortened, "its path \(category.path.summary) is none")
          return nil
        }
        guard seen.insert(id).inserted else { return nil }
        return HarvestedSection(id: id, name: category.name, title: category.title)
      }
    } catch {
      harvest.fail(.section, path, error.description)
      progress(.failed(path, reason: error.description))
      return []
    }
  }

  private mutating func listings(_ entries: [JSONValue], in section: SectionID) -> [UpstreamListing] {
    entries.enumerated().compactMap { index, entry in
      guard let id = id(of: entry, place: "\(section.text)[\(index)]") else { return nil }
      if let first = places[id] {
        harvest.notes.add(.repeatedHash(first: first.text, again: section.text), of: id.text)
        return nil
      }
      places[id] = section
      return listing(id, entry)
    }
  }

  private mutating func id(of entry: JSONValue, place: String) -> ProductID? {
    do throws(UpstreamProductReader.Unreadable) {
      return try reader.id(of: entry)
    } catch {
      harvest.fail(.product, place, error.reason)
      return nil
    }
  }

  private mutating func listing(_ id: ProductID, _ entry: JSONValue) -> UpstreamListing {
    do throws(UpstreamProductReader.Unreadable) {
      return .item(try reader.item(id, entry, notes: &harvest.notes))
    } catch {
      harvest.fail(.product, id.text, error.reason)
      return .unreadable(id)
    }
  }

  // MARK: Collections

  /// Takes the collections, where the surface has them.
  mutating func takeBest() async {
    guard let path = answers.bestPath else { return }
    do throws(UpstreamFault) {
      let found = try await upstream.ask(path) { (answer) throws(UpstreamFault) in try answers.collections(answer) }
      var seen: Set<CollectionID> = []
      harvest.best = .collections(found.compactMap { collection($0, seen: &seen) })
      progress(.listed(path, products: found.count))
    } catch {
      harvest.best = .unknown
      // Not every upstream of these years has it.
      if case .status(404, _) = error {
        progress(.failed(path, reason: "there is none; the shop's own collections stay"))
      } else {
        harvest.fail(.best, path, error.description)
        progress(.failed(path, reason: error.description))
      }
    }
    settle()
  }

  private mutating func collection(
    _ found: UpstreamAnswers.Collection, seen: inout Set<CollectionID>
  ) -> HarvestedCollection? {
    let subject = "best \(found.id.summary)"
    let text: String
    switch found.id {
    case .string(let id): text = id
    case .integer(let number):
      text = String(number)
      harvest.notes.add(.otherType(key: "category_id", found: found.id.summary), of: subject)
    default: text = ""
    }
    guard let id = try? CollectionID(text) else {
      harvest.fail(.best, subject, "its category_id is none")
      return nil
    }
    guard seen.insert(id).inserted else {
      harvest.notes.add(.repeatedCollection, of: subject)
      return nil
    }
    var members: [ProductID] = []
    var known: Set<ProductID> = []
    for (index, entry) in found.items.enumerated() {
      guard let product = self.id(of: entry, place: "\(subject)[\(index)]"), known.insert(product).inserted else {
        continue
      }
      members.append(product)
      guard places[product] == nil, looseIDs.insert(product).inserted else { continue }
      harvest.loose.append(listing(product, entry))
    }
    return HarvestedCollection(id: id, name: name(found.name, of: id, subject), products: members)
  }

  private mutating func name(_ value: JSONValue, of id: CollectionID, _ subject: String) -> String {
    guard case .string(let text) = value else {
      harvest.notes.add(.wrongType(key: "name", found: value.summary), of: subject)
      return id.text
    }
    let fitted = FittedText(text, for: .collectionName)
    if fitted.hadControls { harvest.notes.add(.controlCharacters(key: "name"), of: subject) }
    if fitted.isCut {
      harvest.notes.add(.longText(key: "name", limit: FittedText.Place.collectionName.limit), of: subject)
    }
    return fitted.text.isEmpty ? id.text : fitted.text
  }

  // MARK: Details

  /// Takes the detail of every product that a list has.
  mutating func takeDetails() async {
    let listings = harvest.sections.flatMap { $0.listings ?? [] } + harvest.loose
    let ids = listings.compactMap { listing -> ProductID? in
      guard case .item(let item) = listing else { return nil }
      return item.id
    }
    for (index, id) in ids.enumerated() {
      await takeDetail(of: id)
      progress(.details(done: index + 1, of: ids.count))
    }
    settle()
  }

  private mutating func takeDetail(of id: ProductID) async {
    let reader = reader
    do throws(UpstreamFault) {
      let (detail, notes) = try await upstream.ask(answers.detailPath(id)) { (answer) throws(UpstreamFault) in
        var notes = SyncNotes()
        return (try reader.detail(of: id, try UpstreamAnswers.opened(answer), notes: &notes), notes)
      }
      harvest.details[id] = detail
      harvest.notes.add(notes)
    } catch {
      harvest.fail(.detail, id.text, error.description)
    }
  }

  private mutating func settle() {
    harvest.requests = upstream.requests
    harvest.recalled = upstream.recalled
    harvest.isCutShort = upstream.isGone
  }
}
