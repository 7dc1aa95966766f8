/// What clients may be told of while it happens. Kinds are added, never renamed.
enum EventKind: String, CaseIterable, Sendable {
  /// The catalog has another version.
  case catalog
  /// Pictures are being fetched ahead of anybody's asking.
  case pictures
  /// In dev mode: that it is on, and which faults are.
  case development
  /// In dev mode: whether the seed file is taken as it is, and what is wrong with it.
  case seed
  /// In dev mode: the newest requests, and what became of each.
  case requests
}

/// One event as it goes out (WHATWG HTML, section 9.2, "Server-sent events").
///
/// An event tells how things are now, not what became different: a client that missed some knows everything from the next.
struct LiveEvent: Sendable {
  /// What it is called after an interruption; only the catalog's version is.
  let id: String?
  let bytes: [UInt8]

  /// - Parameters:
  ///   - id: without line ends.
  ///   - json: one line.
  init(_ kind: EventKind, id: String? = nil, json: [UInt8]) {
    self.id = id
    var bytes = Array("event: \(kind.rawValue)\n".utf8)
    if let id { bytes += Array("id: \(id)\n".utf8) }
    bytes += Array("data: ".utf8) + json + Array("\n\n".utf8)
    self.bytes = bytes
  }
}
