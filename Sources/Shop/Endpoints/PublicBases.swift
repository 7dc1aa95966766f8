import HTTP
import Net
import Server

/// Finds scheme and host for the absolute URLs of an answer: those that the operator set, else the request's own.
struct PublicBases: Sendable {
  let fixed: PublicBase?
  let address: SocketAddress

  func base(for request: Request) -> PublicBase {
    if let fixed { return fixed }
    let authority = request.head.authority
    return PublicBase(
      isEncrypted: request.isEncrypted, authority: authority.isEmpty ? Array("\(address)".utf8) : authority)
  }
}
