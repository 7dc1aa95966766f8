import Client
import HTTP
import Images

/// Answers what is below the mounted origins: a caching reverse proxy for those folders, pictures only.
struct MountEndpoint: Sendable {
  let mounts: [OriginMount]
  let library: PictureLibrary

  var routes: [Route] {
    mounts.map { mount in
      Route(.get, "\(mount)/\(Router.rest)") { (request) throws(Problem) in
        try await respond(to: request.request.head, below: mount)
      }
    }
  }

  private func respond(to head: RequestHead, below mount: OriginMount) async throws(Problem) -> Response {
    switch await library.picture(at: try Self.url(of: head, below: mount)) {
    case .failure(let failure): throw Problem(of: failure)
    case .success(let picture): return Response(picture, cacheControl: Self.cacheControl(of: picture))
    }
  }

  private static func url(of head: RequestHead, below mount: OriginMount) throws(Problem) -> OriginURL {
    let url: OriginURL?
    do throws(MountPathFault) {
      url = try mount.url(of: head)
    } catch {
      switch error {
      case .leavesFolder:
        throw Problem(
          .invalidRequest,
          detail: Bilingual(
            korean: "경로에 '.' 또는 '..' 조각이나 0바이트가 있습니다.",
            english: "The path holds a '.' or '..' segment, or a zero byte."))
      case .unusable(let fault):
        throw Problem(.invalidRequest, detail: Bilingual(korean: "\(fault)", english: "\(fault)"))
      }
    }
    guard let url else { throw Problem(.notFound) }
    return url
  }

  /// The rows of images.md, section 2.
  private static func cacheControl(of picture: StoredPicture) -> String {
    switch picture.cacheStatus {
    case _ where !picture.mayBeStored: "no-store"
    case .stale: "public, max-age=60"
    default: "public, max-age=86400, stale-while-revalidate=604800, stale-if-error=2592000"
    }
  }
}
