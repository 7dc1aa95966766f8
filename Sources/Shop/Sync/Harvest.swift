import Catalog

/// What a sync has brought home: everything that the upstream said and that could be understood, and what could not.
public struct Harvest: Sendable {
  /// The name of the surface that it came by.
  public var surfaceName: String { surface.name }
  /// Products, lists and details that failed, in the order in which they were met.
  public internal(set) var failures: [Failure] = []
  /// Whether the upstream stopped answering before everything had been asked for.
  public internal(set) var isCutShort = false
  /// How many requests went out, each attempt for itself.
  public internal(set) var requests = 0
  /// How many answers came out of an earlier sync's journal instead.
  public internal(set) var recalled = 0

  let surface: CompatibleSurface
  var sections: [HarvestedSection] = []
  var best = Best.unspoken
  /// Products that stand in no section's list, but in a collection.
  var loose: [UpstreamListing] = []
  var details: [ProductID: UpstreamDetail] = [:]
  var notes = SyncNotes()

  /// Something that could not be taken.
  public struct Failure: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Part: Hashable, Sendable {
      case section, best, product, detail
    }

    /// What kind of thing it is.
    public let part: Part
    /// Its hash, or path.
    public let subject: String
    /// Why, in a clause.
    public let reason: String
  }

  /// What became of the collections.
  enum Best: Sendable {
    /// The surface has none to tell of.
    case unspoken
    /// It has some, and they could not be taken, or this upstream does not serve them.
    case unknown
    case collections([HarvestedCollection])
  }

  init(surface: CompatibleSurface) { self.surface = surface }

  mutating func fail(_ part: Failure.Part, _ subject: String, _ reason: String) {
    failures.append(Failure(part: part, subject: subject, reason: reason))
  }

  /// How many products' details were taken.
  public var takenDetails: Int { details.count }

  /// How many products' details failed.
  public var failedDetails: Int { failures.count { $0.part == .detail } }
}

/// A section of an upstream.
struct HarvestedSection: Sendable {
  let id: SectionID
  /// As the upstream calls it, where it says so.
  var name: String?
  var title: String?
  /// Its products in order; nil when its list failed.
  var listings: [UpstreamListing]?
}

/// A collection of an upstream.
struct HarvestedCollection: Sendable {
  let id: CollectionID
  let name: String
  let products: [ProductID]
}

extension Harvest.Failure {
  /// One line for each reason, with everything that failed for it: a dead upstream would fill the screen otherwise.
  public static func lines(_ failures: [Harvest.Failure]) -> [String] {
    var order: [Group] = []
    var subjects: [Group: [String]] = [:]
    for failure in failures {
      let group = Group(part: failure.part, reason: failure.reason)
      if subjects[group] == nil { order.append(group) }
      subjects[group, default: []].append(failure.subject)
    }
    return order.map { group in
      let list = subjects[group] ?? []
      return "\(group.part.words(count: list.count)) \(list.joined(separator: ", ")): \(group.reason)".plainLine
    }
  }

  private struct Group: Hashable {
    let part: Part
    let reason: String
  }
}

extension Harvest.Failure.Part {
  fileprivate func words(count: Int) -> String {
    switch self {
    case .section: count == 1 ? "section" : "sections"
    case .best: "collections"
    case .product: count == 1 ? "product" : "products"
    case .detail: count == 1 ? "detail of" : "details of"
    }
  }
}
