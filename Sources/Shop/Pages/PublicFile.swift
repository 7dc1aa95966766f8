import HTTP
import Images

/// One file that is served as it is, in every coding that it is sent in.
struct PublicFile: Sendable {
  /// Its path below the public folder.
  let name: String
  let type: MediaType
  let identity: Representation
  /// Nil when compressing gains nothing.
  let compressed: Representation?
  /// When the file was written; the date of an answer's body.
  let changedAt: HTTPDate

  /// A file from its bytes. `changedAt` is in seconds since 1970.
  init(name: String, bytes: [UInt8], changedAt: Int64) {
    self.name = name
    type = MediaType(ofFile: name)
    identity = Representation(bytes, coding: .identity)
    let compressed = type.isText ? Representation(bytes, coding: .gzip) : nil
    self.compressed = compressed.flatMap { $0.coding == .gzip && $0.bytes.count < bytes.count ? $0 : nil }
    self.changedAt = HTTPDate(seconds: changedAt)
  }

  /// What it is served at: an `index.html` at its folder, with or without a slash behind it, anything else under its name.
  var path: String {
    guard name == "index.html" || name.hasSuffix("/index.html") else { return "/\(name)" }
    return "/\(name.dropLast("/index.html".count))"
  }

  var isIndex: Bool { path != "/\(name)" }

  /// The file as an answer, in the coding that a request accepts best.
  func response(to head: RequestHead, status: Status = .ok) throws(Problem) -> Response {
    guard let coding = head.acceptedCoding else { throw Problem(.notAcceptable) }
    let chosen = coding == .gzip ? compressed ?? identity : identity
    var response = Response(status, body: .bytes(chosen.bytes))
    response.add(.contentType, type.field)
    if chosen.coding == .gzip { response.add(.contentEncoding, "gzip") }
    // A name says nothing of the bytes behind it: ask each time, and mostly hear 304.
    response.add(.cacheControl, "public, max-age=0, must-revalidate")
    response.add(.xContentTypeOptions, "nosniff")
    if type.isActive { PagePolicy.add(to: &response) }
    if status == .ok {
      response.entityTag = chosen.entityTag
      response.lastModified = changedAt
      response.acceptsRanges = true
    }
    response.varies = compressed == nil ? nil : .acceptEncoding
    response.isReusable = true
    return response
  }
}

/// What browsers hold a page to (Content Security Policy 3): scripts, styles, pictures and answers of its own host alone,
/// no text that becomes a script, and no other site that shows it in a frame.
enum PagePolicy {
  private static let content = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types banchan",
  ].joined(separator: "; ")

  static func add(to response: inout Response) {
    response.add(.contentSecurityPolicy, content)
    response.add(.referrerPolicy, "same-origin")
    response.add(.crossOriginOpenerPolicy, "same-origin")
  }
}
