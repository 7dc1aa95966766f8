/// What is stored, for whoever looks after the pictures rather than at them.
extension PictureLibrary {
  /// A stored original.
  public struct StoredOriginal: Sendable, Equatable {
    /// The SHA-256 of its bytes.
    public let digest: Digest
    /// Its length in bytes.
    public let bytes: Int
  }

  /// Some stored files.
  public struct Total: Sendable, Equatable {
    /// How many.
    public var files = 0
    /// The sum of their lengths.
    public var bytes = 0
  }

  /// All that is stored, by what it is for.
  public struct Totals: Sendable, Equatable {
    /// Originals, whether products show them or not.
    public var originals = Total()
    /// Files that nothing refers to any more.
    public var loose = Total()
    /// Sizes that were made of originals.
    public var derived = Total()
  }

  /// What a check of all files found.
  public struct Check: Sendable, Equatable {
    /// What was read.
    public var checked = Total()
    /// Files whose bytes were others; they are dropped.
    public var damaged: [Digest] = []
    /// Files that were not there; they are forgotten.
    public var lost: [Digest] = []
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

  /// How much is stored. It is known without looking at the disk.
  public func totals() async -> Totals { await store.totals() }

  /// Reads every file. What is dropped is fetched or made again when somebody asks for it.
  ///
  /// - Parameter progress: told after each file how many are done, of how many; false ends the check.
  public func check(progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Bool) async -> Check {
    await store.check(progress)
  }

  /// What the cache may take of its disk from now on; what is too much goes at once.
  ///
  /// - Parameter minimumFree: bytes that it leaves free; nil for a twentieth of the disk, 256 MiB at most.
  public func limitCache(to bytes: Int, minimumFree: Int?) async {
    await store.limit(to: CacheDisk.Limits(bytes: bytes, minimumFree: minimumFree))
  }

  /// Removes what is stored of a reference, or everything for nil.
  public func purge(_ reference: [UInt8]?, isDryRun: Bool) async -> Total {
    await store.purge(reference.map(SourceKey.init(reference:)), isDryRun: isDryRun)
  }
}
