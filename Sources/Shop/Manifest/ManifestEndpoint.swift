import Catalog
import HTTP
import Images
import Net
import Server

/// Answers `/api/v1/images`: which pictures there are and what is known of them, whole or since a version, page by page.
struct ManifestEndpoint: Sendable {
  let stock: PictureStock
  let bases: PublicBases
  let threads: BlockingThreads
  let listings: PictureListings

  /// How many pictures stand on a page.
  static let pageSize = 200

  var route: Route {
    Route(.get, "/api/v1/images", query: .only(["since", "cursor"])) { (request) throws(Problem) in
      guard let coding = request.request.head.acceptedCoding else { throw Problem(.notAcceptable) }
      let question = try ManifestQuestion(request.request.head.query)
      let base = bases.base(for: request.request)
      let snapshot = stock.store.snapshot
      guard let page = await page(question, of: snapshot) else { throw ManifestQuestion.outdated }
      let representation = await threads.run { Representation(page.json(base: base), coding: coding) }
      return response(representation, snapshot, next: page.next)
    }
  }

  /// The page that is asked for; nil when the walk that it belongs to cannot be gone on with.
  private func page(_ question: ManifestQuestion, of snapshot: CatalogSnapshot) async -> PictureManifest? {
    let (cursor, since) = (question.cursor, question.since)
    let listing = await threads.run { listings.listing(of: snapshot) }
    // A walk that began with what changed cannot end with everything.
    if cursor != nil, since != nil, listing.isWhole(since) { return nil }
    let version = cursor?.version ?? listing.version
    let (items, hasMore) = listing.page(since: since, after: cursor?.last, limit: Self.pageSize)
    let next = hasMore ? items.last.map { ManifestCursor(version: version, since: since, last: $0.id) } : nil
    return PictureManifest(
      listing: listing, since: since, version: version, items: items, next: next,
      stored: await stock.library.stored(items.compactMap { $0.picture?.reference.bytes }))
  }

  private func response(_ representation: Representation, _ snapshot: CatalogSnapshot, next: ManifestCursor?)
    -> Response
  {
    var response = Response(.ok, body: .bytes(representation.bytes))
    response.add(.contentType, "application/json")
    if representation.coding == .gzip { response.add(.contentEncoding, "gzip") }
    response.add(.cacheControl, "public, max-age=0, must-revalidate")
    if let next { response.add(.link, "<\(next.path)>; rel=\"next\"") }
    response.entityTag = representation.entityTag
    response.varies = .acceptEncoding
    return response
  }
}
