/// How much of a request is taken before it is refused.
public struct RequestLimits: Sendable {
  /// Bytes of the request line without its end; more is 414.
  public var requestLine = 8 * 1024
  /// Bytes of all field lines; more is 431.
  public var fieldBlock = 16 * 1024
  /// Field lines; more is 431.
  public var fieldCount = 100
  /// Empty lines before a request line that are passed over (RFC 9112, section 2.2).
  public var emptyLines = 4
  /// Bytes of a body, where the responder does not say otherwise; more is 413.
  public var body = 64 * 1024

  /// The limits of the shop.
  public init() {}
}

/// Why a request was refused before any endpoint saw it.
public enum RequestFault: Error, Equatable, Sendable {
  /// Not a request by RFC 9112; the text says what is wrong with it.
  case malformed(StaticString)
  case lineTooLong
  case fieldsTooLarge
  case bodyTooLarge
  /// HTTP/0.9, 2 or above in the request line.
  case versionNotSupported
  /// A method, or a transfer coding, that this server does not know.
  case notImplemented
  /// An expectation other than 100-continue.
  case expectationFailed
  /// The target names another scheme than the connection's.
  case misdirected
  /// The head or the body did not come in time.
  case timedOut
  /// No connection can be taken on at the moment.
  case overloaded

  /// Compares the case, and the reason's text.
  public static func == (left: RequestFault, right: RequestFault) -> Bool {
    left.status == right.status && left.reason == right.reason
  }

  /// The status that the fault is answered with.
  public var status: Status {
    switch self {
    case .malformed: .badRequest
    case .lineTooLong: .uriTooLong
    case .fieldsTooLarge: .requestHeaderFieldsTooLarge
    case .bodyTooLarge: .contentTooLarge
    case .versionNotSupported: .httpVersionNotSupported
    case .notImplemented: .notImplemented
    case .expectationFailed: .expectationFailed
    case .misdirected: .misdirectedRequest
    case .timedOut: .requestTimeout
    case .overloaded: .serviceUnavailable
    }
  }

  /// What is wrong with a malformed request, in English; nil for the other cases.
  public var reason: String? {
    if case .malformed(let reason) = self { return reason.description }
    return nil
  }
}
