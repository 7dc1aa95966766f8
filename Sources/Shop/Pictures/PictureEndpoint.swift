import Catalog
import HTTP
import Images
import Server
import Synchronization

/// Answers `/images/{name}`: a picture that the catalog refers to, out of the cache or through it.
struct PictureEndpoint: Sendable {
  let store: CatalogStore
  let library: PictureLibrary
  let index: PictureIndex

  var route: Route {
    Route(.get, "/images/{name}", isExact: true) { (request) throws(Problem) in try await respond(to: request) }
  }

  private func respond(to request: RoutedRequest) async throws(Problem) -> Response {
    let snapshot = store.snapshot
    guard let name = PictureName(request.id), let entry = index.picture(name.id, in: snapshot) else {
      throw Problem(.pictureNotFound)
    }
    let known = entry.state.facts.flatMap { Digest(bytes: $0.digest) }
    let result = await library.picture(
      for: entry.reference.bytes, known: known, size: name.size, format: name.format,
      isMeasured: entry.state.facts?.placeholder != nil)
    switch result {
    case .failure(let failure): throw Problem(of: failure)
    case .success(let picture):
      let isCurrent =
        picture.source == known && (name.size != .original || picture.format == name.format)
        && name.version == PictureVersion(revision: UInt32(clamping: entry.state.revision))
      return Self.response(picture, isCurrent: isCurrent)
    }
  }

  private static func response(_ picture: StoredPicture, isCurrent: Bool) -> Response {
    // Where no size can be made, nothing may keep the original under its name.
    Response(
      picture,
      cacheControl: picture.isStandIn
        ? "no-store" : isCurrent ? "public, max-age=31536000, immutable" : "no-cache")
  }
}

/// Finds a picture's reference by the id in its name.
///
/// An id is a digest of its reference, so what was found once stays true; the snapshot says whether it is still shown.
final class PictureIndex: Sendable {
  private struct State {
    var references: [PictureID: PictureReference] = [:]
    var version: Int64 = -1
  }

  private let state = Mutex(State())

  /// The picture of an id, if the catalog refers to it.
  func picture(_ id: PictureID, in snapshot: CatalogSnapshot) -> Picture? {
    let reference = state.withLock { state in
      if let reference = state.references[id] { return Optional(reference) }
      guard state.version != snapshot.version else { return nil }
      state.version = snapshot.version
      state.references = [:]
      state.references.reserveCapacity(snapshot.pictures.count)
      for reference in snapshot.pictures.keys {
        state.references[PictureID(reference: reference.bytes)] = reference
      }
      return state.references[id]
    }
    return reference.flatMap { snapshot.pictures[$0] }
  }
}

extension Problem {
  /// The problem that a picture's failure is answered with.
  init(of failure: PictureFailure) {
    let code = ProblemCode(rawValue: failure.code) ?? .originError
    let general = code.detail
    self.init(
      code,
      detail: Bilingual(
        korean: "\(general.korean) (\(failure.description))", english: "\(general.english) (\(failure.description))"))
    retryAfter = failure.retryAfter
  }
}
