/// What the cache knows a derived picture by: what it was made from, and into what. The pipeline is always that of this
/// build, so that pictures of an older one are not found any more.
struct DerivedKey: Hashable, Sendable {
  /// The SHA-256 of the original's bytes.
  let source: Digest
  let size: PictureSize
  let format: PictureFormat
}
