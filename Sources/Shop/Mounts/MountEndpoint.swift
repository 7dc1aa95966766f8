import Client
import HTTP
import Images
import Server

/// Answers what is below the mounted origins: a caching reverse proxy for those folders, pictures only.
struct MountEndpoint: Sendable {
  let mounts: [OriginMount]
  let library: PictureLibrary

  /// The answer to a request for something below a mount; nil when it is for something else.
  func respond(to request: Request) async throws(Problem) -> Response? {
    guard let url = try url(of: request.head) else { return nil }
    guard request.head.method == .get || request.head.method == .head else {
      var problem = Problem(.methodNotAllowed)
      problem.allowed = [.get, .head, .options]
      throw problem
    }
    switch await library.picture(at: url) {
    case .failure(let failure): throw Problem(of: failure)
    case .success(let picture): return Response(picture, cacheControl: Self.cacheControl(of: picture))
    }
  }

  private func url(of head: RequestHead) throws(Problem) -> OriginURL? {
    for mount in mounts {
      do throws(MountPathFault) {
        if let url = try mount.url(of: head) { return url }
      } catch {
        switch error {
        case .leavesFolder:
          throw Problem(
            .invalidRequest,
            detail: Bilingual(
              korean: "경로에 '.' 또는 '..' 조각이 있습니다.", english: "The path holds a '.' or '..' segment, or a zero byte."))
        case .unusable(let fault):
          throw Problem(.invalidRequest, detail: Bilingual(korean: "\(fault)", english: "\(fault)"))
        }
      }
    }
    return nil
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
