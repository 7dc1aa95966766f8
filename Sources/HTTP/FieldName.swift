/// A field name that the server knows: written as the RFCs write it, compared without case.
public struct FieldName: Sendable, Equatable {
  /// In lower case, for comparing.
  let literal: StaticString
  /// As it is written in answers.
  public let written: StaticString

  var length: Int { literal.utf8CodeUnitCount }

  private init(_ written: StaticString, _ literal: StaticString) {
    self.literal = literal
    self.written = written
    assert(written.utf8CodeUnitCount == literal.utf8CodeUnitCount)
  }

  /// Compares the names.
  public static func == (left: FieldName, right: FieldName) -> Bool {
    UnsafeBufferPointer(start: left.literal.utf8Start, count: left.length).span.equals(right.literal)
  }

  /// Accept-Encoding
  public static let acceptEncoding = FieldName("Accept-Encoding", "accept-encoding")
  /// Accept-Language
  public static let acceptLanguage = FieldName("Accept-Language", "accept-language")
  /// Accept-Ranges
  public static let acceptRanges = FieldName("Accept-Ranges", "accept-ranges")
  /// Access-Control-Allow-Headers
  public static let accessControlAllowHeaders = FieldName(
    "Access-Control-Allow-Headers", "access-control-allow-headers")
  /// Access-Control-Allow-Methods
  public static let accessControlAllowMethods = FieldName(
    "Access-Control-Allow-Methods", "access-control-allow-methods")
  /// Access-Control-Allow-Private-Network (Private Network Access)
  public static let accessControlAllowPrivateNetwork = FieldName(
    "Access-Control-Allow-Private-Network", "access-control-allow-private-network")
  /// Access-Control-Request-Private-Network (Private Network Access)
  public static let accessControlRequestPrivateNetwork = FieldName(
    "Access-Control-Request-Private-Network", "access-control-request-private-network")
  /// Access-Control-Max-Age
  public static let accessControlMaxAge = FieldName("Access-Control-Max-Age", "access-control-max-age")
  /// Access-Control-Request-Method
  public static let accessControlRequestMethod = FieldName(
    "Access-Control-Request-Method", "access-control-request-method")
  /// Access-Control-Request-Headers
  public static let accessControlRequestHeaders = FieldName(
    "Access-Control-Request-Headers", "access-control-request-headers")
  /// Age
  public static let age = FieldName("Age", "age")
  /// Allow
  public static let allow = FieldName("Allow", "allow")
  /// Banchan-Fault: what is to go wrong with an answer in dev mode, and in the answer what did.
  public static let banchanFault = FieldName("Banchan-Fault", "banchan-fault")
  /// Cache-Control
  public static let cacheControl = FieldName("Cache-Control", "cache-control")
  /// Cache-Status
  public static let cacheStatus = FieldName("Cache-Status", "cache-status")
  /// Connection
  public static let connection = FieldName("Connection", "connection")
  /// Content-Encoding
  public static let contentEncoding = FieldName("Content-Encoding", "content-encoding")
  /// Content-Language
  public static let contentLanguage = FieldName("Content-Language", "content-language")
  /// Content-Length
  public static let contentLength = FieldName("Content-Length", "content-length")
  /// Content-Range
  public static let contentRange = FieldName("Content-Range", "content-range")
  /// Content-Security-Policy
  public static let contentSecurityPolicy = FieldName("Content-Security-Policy", "content-security-policy")
  /// Content-Type
  public static let contentType = FieldName("Content-Type", "content-type")
  /// Cookie
  public static let cookie = FieldName("Cookie", "cookie")
  /// Cross-Origin-Opener-Policy
  public static let crossOriginOpenerPolicy = FieldName("Cross-Origin-Opener-Policy", "cross-origin-opener-policy")
  /// Date
  public static let date = FieldName("Date", "date")
  /// Cross-Origin-Resource-Policy
  public static let crossOriginResourcePolicy = FieldName(
    "Cross-Origin-Resource-Policy", "cross-origin-resource-policy")
  /// ETag
  public static let etag = FieldName("ETag", "etag")
  /// Expect
  public static let expect = FieldName("Expect", "expect")
  /// Expires
  public static let expires = FieldName("Expires", "expires")
  /// Forwarded
  public static let forwarded = FieldName("Forwarded", "forwarded")
  /// Host
  public static let host = FieldName("Host", "host")
  /// If-Match
  public static let ifMatch = FieldName("If-Match", "if-match")
  /// If-Modified-Since
  public static let ifModifiedSince = FieldName("If-Modified-Since", "if-modified-since")
  /// If-None-Match
  public static let ifNoneMatch = FieldName("If-None-Match", "if-none-match")
  /// If-Range
  public static let ifRange = FieldName("If-Range", "if-range")
  /// If-Unmodified-Since
  public static let ifUnmodifiedSince = FieldName("If-Unmodified-Since", "if-unmodified-since")
  /// Last-Event-ID
  public static let lastEventID = FieldName("Last-Event-ID", "last-event-id")
  /// Last-Modified
  public static let lastModified = FieldName("Last-Modified", "last-modified")
  /// Link
  public static let link = FieldName("Link", "link")
  /// Location
  public static let location = FieldName("Location", "location")
  /// Origin
  public static let origin = FieldName("Origin", "origin")
  /// Range
  public static let range = FieldName("Range", "range")
  /// Referrer-Policy
  public static let referrerPolicy = FieldName("Referrer-Policy", "referrer-policy")
  /// Retry-After
  public static let retryAfter = FieldName("Retry-After", "retry-after")
  /// Strict-Transport-Security
  public static let strictTransportSecurity = FieldName("Strict-Transport-Security", "strict-transport-security")
  /// traceparent (Trace Context)
  public static let traceparent = FieldName("traceparent", "traceparent")
  /// Transfer-Encoding
  public static let transferEncoding = FieldName("Transfer-Encoding", "transfer-encoding")
  /// User-Agent
  public static let userAgent = FieldName("User-Agent", "user-agent")
  /// X-Accel-Buffering
  public static let xAccelBuffering = FieldName("X-Accel-Buffering", "x-accel-buffering")
  /// X-Content-Type-Options
  public static let xContentTypeOptions = FieldName("X-Content-Type-Options", "x-content-type-options")
  /// X-Forwarded-For
  public static let xForwardedFor = FieldName("X-Forwarded-For", "x-forwarded-for")
  /// X-Forwarded-Host
  public static let xForwardedHost = FieldName("X-Forwarded-Host", "x-forwarded-host")
  /// X-Forwarded-Proto
  public static let xForwardedProto = FieldName("X-Forwarded-Proto", "x-forwarded-proto")
  /// X-Request-ID
  public static let xRequestID = FieldName("X-Request-ID", "x-request-id")
}
