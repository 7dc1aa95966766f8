import SQLite

/// Makes room for files before they are written, by evicting others where it has to.
///
/// Derived pictures go first, then originals that no product shows. What products show is evicted only for another picture
/// that a product shows: so when they alone need more than there is, they take turns, and the rest is not stored.
///
/// Its calls block: they are for blocking threads.
struct RoomKeeper: Sendable {
  let folder: CacheFolder
  let index: CacheIndex
  let budget: DiskBudget
  /// Told when a picture that a product shows had to go for another, or a cheaper one found no room beside them.
  let onCrowding: @Sendable () -> Void

  /// Sets bytes aside for a file of a rank; ``DiskBudget/release(_:)`` gives them back.
  func makeRoom(_ diskBytes: Int, for rank: BodyRank) throws(CacheTrouble) {
    guard diskBytes <= budget.limit else { throw .crowded }
    try keepFree(diskBytes)
    while true {
      let missing = budget.reserve(diskBytes)
      guard missing > 0 else { return }
      guard try evict(missing, for: rank) else {
        onCrowding()
        throw .crowded
      }
    }
  }

  /// Sees to it that so many bytes fit on the disk beside those that stay free. No picture that a product shows goes for
  /// that: it would come back at once.
  private func keepFree(_ diskBytes: Int) throws(CacheTrouble) {
    let minimumFree = budget.minimumFree
    while minimumFree > 0, let free = FileCalls.space(at: folder.path)?.free, free - minimumFree < diskBytes {
      guard try evict(diskBytes - (free - minimumFree), for: .original) else { throw .nearlyFull }
    }
  }

  /// Evicts some of what is cheaper than, or as cheap as, a body of this rank.
  ///
  /// - Returns: whether anything went.
  private func evict(_ diskBytes: Int, for rank: BodyRank) throws(CacheTrouble) -> Bool {
    let ranks: [BodyRank] = rank == .pinned ? [.loose, .derived, .original, .pinned] : [.loose, .derived, .original]
    do throws(SQLiteError) {
      for candidate in ranks {
        if try evict(diskBytes, of: candidate) {
          if candidate == .pinned { onCrowding() }
          return true
        }
      }
    } catch {
      throw error.trouble
    }
    return false
  }

  /// Whether anything of a rank went. In some turns nothing does, as the hand only takes marks.
  private func evict(_ diskBytes: Int, of rank: BodyRank) throws(SQLiteError) -> Bool {
    for _ in 0..<Self.turns {
      switch try index.evict(rank, diskBytes: diskBytes, from: folder) {
      case .freed(let bytes) where bytes > 0: return true
      case .freed: continue
      case .nothing, .refused: return false
      }
    }
    return false
  }

  /// Enough for the hand to take two million marks.
  private static let turns = 1_024
}
