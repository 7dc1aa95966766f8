import HTTP
import Net

/// Why nothing, or not all, could be fetched; in the cases that lead to different answers (images.md, section 4).
public enum FetchError: Error, Equatable, Sendable {
  /// The host has no address; the text is the resolver's own.
  case unresolvable(host: String, reason: String)
  /// Nobody answers at any of the host's addresses, or the connection broke before an answer began.
  case unreachable(Origin, reason: String)
  /// Every address of the host is one that is not spoken to. Allowing the origin by name changes that.
  case addressRefused(Origin, IPAddress, AddressKind)
  /// TLS could not be agreed on, or the certificate does not hold; the text is OpenSSL's own.
  case tls(Origin, reason: String)
  /// A part of the fetch took longer than it may.
  case timedOut(FetchPhase)
  /// Bytes came, but slower than they must.
  case tooSlow
  /// The answer's head is not HTTP/1.1, or contradicts itself.
  case head(ResponseFault)
  /// The chunks of the body are malformed.
  case chunks(String)
  /// The connection ended before the answer did.
  case closedEarly(received: Int)
  /// More bytes came than the head stated, so that nobody knows which of the two is wrong.
  case surplus(stated: Int)
  /// The body is larger than this many bytes; it was not read further.
  case tooLarge(limit: Int)
  /// More redirects than are followed.
  case tooManyRedirects(limit: Int)
  /// A redirect to a URL that this fetch has been at.
  case redirectLoop(OriginURL)
  /// A redirect from https to http.
  case redirectDowngrade(OriginURL)
  /// A redirect to something that is not fetched.
  case redirectURL(URLFault)
  /// This process or machine has no descriptor or memory left for a connection; nothing was asked of the origin.
  case exhausted(String)
}

/// The parts of a fetch that have a time of their own.
public enum FetchPhase: String, Sendable {
  /// Finding addresses, connecting, agreeing on TLS.
  case connecting
  /// From the request to the first byte of the answer.
  case firstByte = "waiting for the first byte"
  /// Everything.
  case whole = "the whole fetch"
}

extension FetchError: CustomStringConvertible {
  /// One clause for a log line: what happened, with whom.
  public var description: String {
    switch self {
    case .unresolvable(let host, let reason): "\(host) has no address (\(reason))"
    case .unreachable(let origin, let reason): "\(origin) cannot be reached (\(reason))"
    case .addressRefused(let origin, let address, let kind):
      "\(origin) is at \(address), a \(kind.rawValue) address; allow it with --origin-allow \(origin)"
    case .tls(let origin, let reason): "no secure connection to \(origin) (\(reason))"
    case .timedOut(let phase): "timed out (\(phase.rawValue))"
    case .tooSlow: "the answer comes too slowly"
    case .head(let fault): "malformed answer: \(fault)"
    case .chunks(let reason): "malformed chunks: \(reason)"
    case .closedEarly(let received): "the connection ended early, after \(received) bytes of the body"
    case .surplus(let stated): "the body goes on behind its stated \(stated) bytes"
    case .tooLarge(let limit): "the body is larger than \(limit) bytes"
    case .tooManyRedirects(let limit): "more than \(limit) redirects"
    case .redirectLoop(let url): "redirects lead back to \(url)"
    case .redirectDowngrade(let url): "a redirect from https to \(url)"
    case .redirectURL(let fault): "a redirect that cannot be followed: \(fault)"
    case .exhausted(let reason): "no connection can be opened (\(reason))"
    }
  }
}
