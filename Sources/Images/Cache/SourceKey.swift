import Client

/// What the cache knows a source by.
///
/// A picture of the catalog goes by its reference, not by the URL that this leads to for now: when the origin moves to
/// another host, or the demo's origin to another port, what is stored stays. Bytes, compared as bytes.
struct SourceKey: Hashable, Sendable {
  /// A letter for the kind of source, then its name.
  let bytes: [UInt8]

  /// The picture that a catalog's reference names.
  init(reference: [UInt8]) { bytes = Array("r:".utf8) + reference }

  /// A picture below a mounted origin, which goes by its canonical URL.
  init(mounted url: OriginURL) { bytes = Array("m:".utf8) + url.bytes }

  /// The key as the index has it.
  init(stored bytes: [UInt8]) { self.bytes = bytes }
}
