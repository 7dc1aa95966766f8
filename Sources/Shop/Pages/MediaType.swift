/// What a file's ending says of its contents.
struct MediaType: Sendable, Equatable {
  /// As Content-Type has it.
  let field: String
  /// Whether it is text, which shrinks when compressed.
  let isText: Bool
  /// Whether a browser runs what stands in it.
  let isActive: Bool

  private init(_ field: String, isText: Bool = false, isActive: Bool = false) {
    self.field = field
    self.isText = isText
    self.isActive = isActive
  }

  /// The type for a file's name; a name with an ending that is not known is bytes to save.
  init(ofFile name: String) {
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).last.map { $0.lowercased() } ?? ""
    self = Self.known[ending] ?? MediaType("application/octet-stream")
  }

  private static let known: [String: MediaType] = [
    "html": MediaType("text/html; charset=utf-8", isText: true, isActive: true),
    "js": MediaType("text/javascript; charset=utf-8", isText: true, isActive: true),
    "css": MediaType("text/css; charset=utf-8", isText: true),
    "json": MediaType("application/json", isText: true),
    "webmanifest": MediaType("application/manifest+json", isText: true),
    "svg": MediaType("image/svg+xml", isText: true, isActive: true),
    "txt": MediaType("text/plain; charset=utf-8", isText: true),
    "xml": MediaType("application/xml", isText: true, isActive: true),
    "png": MediaType("image/png"),
    "jpg": MediaType("image/jpeg"),
    "webp": MediaType("image/webp"),
    "avif": MediaType("image/avif"),
    "ico": MediaType("image/x-icon"),
    "woff2": MediaType("font/woff2"),
    "pdf": MediaType("application/pdf"),
  ]
}
