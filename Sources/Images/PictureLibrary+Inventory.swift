/// What is stored, for whoever looks after the pictures rather than at them.
extension PictureLibrary {
  /// A stored original.
  public struct StoredOriginal: Sendable, Equatable {
    /// The SHA-256 of its bytes.
    public let digest: Digest
    /// Its length in bytes.
    public let bytes: Int
  }

  /// What is stored of some references. Bodies are not read.
  public func stored(_ references: [[UInt8]]) async -> [[UInt8]: StoredOriginal] {
    let keys = references.map { SourceKey(reference: $0) }
    let records = await store.records(of: keys)
    var stored: [[UInt8]: StoredOriginal] = [:]
    for (reference, key) in zip(references, keys) {
      if let record = records[key] { stored[reference] = StoredOriginal(digest: record.digest, bytes: record.bytes) }
    }
    return stored
  }
}
