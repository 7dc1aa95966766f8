import Catalog
import Images
import Synchronization

/// Every picture that a version of the catalog shows, in the order of their ids, with the version since which each is as it
/// is now; and those that are no longer shown.
///
/// A listing is made from the snapshot and the listing before it. The first one after the start knows nothing of earlier
/// versions: whoever asks what changed since one of those is given everything.
struct PictureListing: Sendable {
  struct Item: Sendable {
    let id: PictureID
    /// Nil when it is no longer shown.
    let picture: Picture?
    /// The version in which it came, changed or went.
    let version: Int64
  }

  /// The catalog's version.
  let version: Int64
  /// The earliest version since which changes are known.
  let start: Int64
  /// The picture that stands where another failed for good.
  let placeholder: PictureID
  private let items: [Item]

  /// So many of those that are gone are remembered; with more, a listing begins anew.
  private static let goneLimit = 100_000

  init(_ snapshot: CatalogSnapshot, after last: PictureListing? = nil) {
    var known: [PictureID: Item] = [:]
    for item in last?.items ?? [] { known[item.id] = item }
    var items: [Item] = []
    for picture in Self.shown(in: snapshot) {
      let id = picture.id
      let old = known.removeValue(forKey: id)
      let isSame = old?.picture === picture
      items.append(Item(id: id, picture: picture, version: isSame ? old?.version ?? 0 : snapshot.version))
    }
    let isTooLong = known.count > Self.goneLimit
    if !isTooLong {
      for (id, item) in known {
        items.append(Item(id: id, picture: nil, version: item.picture == nil ? item.version : snapshot.version))
      }
    }
    version = snapshot.version
    start = last.flatMap { isTooLong ? nil : $0.start } ?? snapshot.version
    placeholder = snapshot.shop.placeholder.id
    self.items = items.sorted { $0.id < $1.id }
  }

  /// The pictures that answers show: the placeholder, and everything of visible products that did not fail for good.
  private static func shown(in snapshot: CatalogSnapshot) -> [Picture] {
    var seen: Set<PictureReference> = []
    let placeholder = snapshot.shop.placeholder
    let all = [placeholder] + snapshot.products.flatMap { [$0.image] + $0.images + $0.details }
    return all.filter { seen.insert($0.reference).inserted && ($0 === placeholder || !$0.state.failedForGood) }
  }

  /// A page: what is shown, and what went. Everything shown when `since` is nil or before `start`.
  ///
  /// - Parameters:
  ///   - since: only what is otherwise than in this version.
  ///   - id: only what comes behind it.
  ///   - limit: so many at most.
  /// - Returns: the items, and whether more follow.
  func page(since: Int64?, after id: PictureID?, limit: Int) -> (items: ArraySlice<Item>, hasMore: Bool) {
    let isWhole = isWhole(since)
    let wanted = items.filter { item in
      guard id.map({ $0 < item.id }) ?? true else { return false }
      return isWhole ? item.picture != nil : item.version > since ?? 0
    }
    return (wanted.prefix(limit), wanted.count > limit)
  }

  /// Whether everything is told to who asks what changed since a version.
  func isWhole(_ since: Int64?) -> Bool { since.map { $0 < start || $0 > version } ?? true }
}

/// The listing of the current version, made when it is first asked for.
final class PictureListings: Sendable {
  private let newest = Mutex<PictureListing?>(nil)

  /// The listing of a snapshot, or of a later one; blocks while it is made, so that it is made once.
  func listing(of snapshot: CatalogSnapshot) -> PictureListing {
    newest.withLock { newest in
      if let newest, newest.version >= snapshot.version { return newest }
      let listing = PictureListing(snapshot, after: newest)
      newest = listing
      return listing
    }
  }
}
