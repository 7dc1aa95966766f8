/// A request method (RFC 9110, section 9). Methods are case-sensitive.
public enum Method: UInt8, CaseIterable, Sendable, Hashable {
  case get, head, post, put, patch, delete, options
  /// A method that this server does not know; it answers 501.
  case unknown

  init(_ token: Span<UInt8>) {
    switch token.count {
    case 3 where token.equals("GET"): self = .get
    case 3 where token.equals("PUT"): self = .put
    case 4 where token.equals("HEAD"): self = .head
    case 4 where token.equals("POST"): self = .post
    case 5 where token.equals("PATCH"): self = .patch
    case 6 where token.equals("DELETE"): self = .delete
    case 7 where token.equals("OPTIONS"): self = .options
    default: self = .unknown
    }
  }

  /// The method's name on the wire.
  public var name: StaticString {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .unknown: "-"
    }
  }
}

/// The protocol version that an answer has to suit. HTTP/1.2 to 1.9 count as 1.1.
public enum ProtocolVersion: Sendable, Hashable {
  case http10, http11
}
