import HTTP
import Net
import Server

/// Finds scheme and host for the absolute URLs of an answer: those that the operator set, else what a trusted proxy says
/// of the client's request, else the request's own.
struct PublicBases: Sendable {
  let fixed: PublicBase?
  /// What is listened on, for requests that name no host.
  let address: SocketAddress

  func base(for request: Request) -> PublicBase {
    if let fixed { return fixed }
    let forwarded = request.isFromTrustedProxy ? ForwardedOrigin(request.head) : ForwardedOrigin()
    let own = request.head.authority
    return PublicBase(
      isEncrypted: forwarded.isEncrypted ?? request.isEncrypted,
      authority: forwarded.authority ?? (own.isEmpty ? Array("\(address)".utf8) : own))
  }
}
