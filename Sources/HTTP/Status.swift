/// A status code (RFC 9110, section 15).
public struct Status: Hashable, Sendable {
  /// The three digits, 100 to 599.
  public let code: UInt16
  /// The reason phrase, as the RFC has it.
  public let reason: StaticString

  private init(_ code: UInt16, _ reason: StaticString) {
    self.code = code
    self.reason = reason
  }

  /// Any status; nil outside 100 to 599.
  public init?(code: UInt16) {
    guard (100...599).contains(code) else { return nil }
    self.init(code, code < 400 ? "Status" : code < 500 ? "Client Error" : "Server Error")
  }

  /// Compares the codes.
  public static func == (left: Status, right: Status) -> Bool { left.code == right.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Whether the code is 400 or above.
  public var isError: Bool { code >= 400 }

  /// 100
  public static let `continue` = Status(100, "Continue")
  /// 200
  public static let ok = Status(200, "OK")
  /// 201
  public static let created = Status(201, "Created")
  /// 204
  public static let noContent = Status(204, "No Content")
  /// 206
  public static let partialContent = Status(206, "Partial Content")
  /// 301
  public static let movedPermanently = Status(301, "Moved Permanently")
  /// 304
  public static let notModified = Status(304, "Not Modified")
  /// 308
  public static let permanentRedirect = Status(308, "Permanent Redirect")
  /// 400
  public static let badRequest = Status(400, "Bad Request")
  /// 401
  public static let unauthorized = Status(401, "Unauthorized")
  /// 403
  public static let forbidden = Status(403, "Forbidden")
  /// 404
  public static let notFound = Status(404, "Not Found")
  /// 405
  public static let methodNotAllowed = Status(405, "Method Not Allowed")
  /// 406
  public static let notAcceptable = Status(406, "Not Acceptable")
  /// 408
  public static let requestTimeout = Status(408, "Request Timeout")
  /// 409
  public static let conflict = Status(409, "Conflict")
  /// 410
  public static let gone = Status(410, "Gone")
  /// 412
  public static let preconditionFailed = Status(412, "Precondition Failed")
  /// 413
  public static let contentTooLarge = Status(413, "Content Too Large")
  /// 414
  public static let uriTooLong = Status(414, "URI Too Long")
  /// 415
  public static let unsupportedMediaType = Status(415, "Unsupported Media Type")
  /// 416
  public static let rangeNotSatisfiable = Status(416, "Range Not Satisfiable")
  /// 417
  public static let expectationFailed = Status(417, "Expectation Failed")
  /// 421
  public static let misdirectedRequest = Status(421, "Misdirected Request")
  /// 422
  public static let unprocessableContent = Status(422, "Unprocessable Content")
  /// 428
  public static let preconditionRequired = Status(428, "Precondition Required")
  /// 429
  public static let tooManyRequests = Status(429, "Too Many Requests")
  /// 431
  public static let requestHeaderFieldsTooLarge = Status(431, "Request Header Fields Too Large")
  /// 500
  public static let internalServerError = Status(500, "Internal Server Error")
  /// 501
  public static let notImplemented = Status(501, "Not Implemented")
  /// 502
  public static let badGateway = Status(502, "Bad Gateway")
  /// 503
  public static let serviceUnavailable = Status(503, "Service Unavailable")
  /// 504
  public static let gatewayTimeout = Status(504, "Gateway Timeout")
  /// 505
  public static let httpVersionNotSupported = Status(505, "HTTP Version Not Supported")
}
