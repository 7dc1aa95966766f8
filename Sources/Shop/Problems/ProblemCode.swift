import HTTP

/// What can be wrong with a request or its answer, as clients may rely on it: codes are added, never changed.
public enum ProblemCode: String, CaseIterable, Sendable {
  case notFound = "not-found"
  case methodNotAllowed = "method-not-allowed"
  case unknownParameter = "unknown-parameter"
  case invalidParameter = "invalid-parameter"
  case invalidRequest = "invalid-request"
  case uriTooLong = "uri-too-long"
  case headersTooLarge = "headers-too-large"
  case bodyTooLarge = "body-too-large"
  case unsupportedMediaType = "unsupported-media-type"
  case notAcceptable = "not-acceptable"
  case requestTimeout = "request-timeout"
  case preconditionFailed = "precondition-failed"
  case preconditionRequired = "precondition-required"
  case rangeNotSatisfiable = "range-not-satisfiable"
  case expectationFailed = "expectation-failed"
  case notImplemented = "not-implemented"
  case versionNotSupported = "version-not-supported"
  case validationFailed = "validation-failed"
  case misdirectedRequest = "misdirected-request"
  case unauthorized
  case forbidden
  case tooManyRequests = "too-many-requests"
  case pictureNotFound = "picture-not-found"
  case pictureGone = "picture-gone"
  case pictureUnsupported = "picture-unsupported"
  case pictureTooLarge = "picture-too-large"
  case pictureUndecodable = "picture-undecodable"
  case originUnreachable = "origin-unreachable"
  case originTimeout = "origin-timeout"
  case originError = "origin-error"
  case originBusy = "origin-busy"
  case overloaded
  case shuttingDown = "shutting-down"
  case `internal`

  /// The status it is answered with.
  public var status: Status {
    switch self {
    case .notFound, .pictureNotFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .unknownParameter, .invalidParameter, .invalidRequest: .badRequest
    case .uriTooLong: .uriTooLong
    case .headersTooLarge: .requestHeaderFieldsTooLarge
    case .bodyTooLarge: .contentTooLarge
    case .unsupportedMediaType, .pictureUnsupported: .unsupportedMediaType
    case .notAcceptable: .notAcceptable
    case .misdirectedRequest: .misdirectedRequest
    case .requestTimeout: .requestTimeout
    case .preconditionFailed: .preconditionFailed
    case .preconditionRequired: .preconditionRequired
    case .rangeNotSatisfiable: .rangeNotSatisfiable
    case .expectationFailed: .expectationFailed
    case .notImplemented: .notImplemented
    case .versionNotSupported: .httpVersionNotSupported
    case .validationFailed, .pictureUndecodable: .unprocessableContent
    case .unauthorized: .unauthorized
    case .forbidden: .forbidden
    case .tooManyRequests: .tooManyRequests
    case .pictureGone: .gone
    case .pictureTooLarge, .originUnreachable, .originError: .badGateway
    case .originTimeout: .gatewayTimeout
    case .originBusy, .overloaded, .shuttingDown: .serviceUnavailable
    case .internal: .internalServerError
    }
  }

  /// How long a shared cache may keep it.
  public var cacheControl: String {
    switch self {
    case .pictureNotFound, .pictureGone: "public, max-age=60"
    case .pictureUnsupported, .pictureUndecodable: "public, max-age=300"
    default: "no-store"
    }
  }
}
