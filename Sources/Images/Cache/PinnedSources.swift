import Synchronization

/// Which sources the catalog shows. Kept as 64 bits of each key's digest: two that share them are at worst both kept longer.
final class PinnedSources: Sendable {
  private let hashes = Mutex<Set<UInt64>>([])

  func contains(_ key: SourceKey) -> Bool {
    let hash = Self.hash(key)
    return hashes.withLock { $0.contains(hash) }
  }

  /// Takes all that are pinned from now on.
  ///
  /// - Returns: those that were not, and whether others no longer are.
  func replace(with keys: [SourceKey]) -> (added: [SourceKey], lostSome: Bool) {
    let new = Set(keys.map(Self.hash))
    let old = hashes.withLock { hashes in
      defer { hashes = new }
      return hashes
    }
    return (keys.filter { !old.contains(Self.hash($0)) }, !old.isSubset(of: new))
  }

  private static func hash(_ key: SourceKey) -> UInt64 { Digest.of(key.bytes).prefix }
}
