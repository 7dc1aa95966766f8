import SQLite

/// What evicting has to ask and to do outside of the index.
struct Removal {
  /// Takes a body's mark, and says whether it had one.
  let unmark: (Int64) -> Bool
  /// Whether a body is being published or sent.
  let isHeld: (Digest) -> Bool
  /// Removes a body's file; false when the system does not let it go.
  let unlink: (StoredBody) -> Bool
  /// Told of each body that goes to make room.
  let noteEviction: (BodyRank) -> Void
}

/// What one turn of evicting came to.
enum Eviction: Equatable, Sendable {
  /// So many bytes of the disk are free now. Fewer than wanted, none even: another turn may free more.
  case freed(Int)
  /// There is nothing to evict.
  case nothing
  /// The system does not let a file go.
  case refused
}

extension IndexConnection {
  /// Bodies that go in one transaction at most: its journal has to fit into the room that is kept for it.
  private static let batch = 8
  /// Entries that the hand passes before others get the index.
  private static let stride = 2_048

  /// Evicts bodies of a rank until as many bytes are free as are wanted, or others should get their turn.
  ///
  /// Each file goes before its row, so that no crash leaves a file that nobody counts.
  func evict(_ rank: BodyRank, diskBytes wanted: Int, _ removal: Removal) throws(SQLiteError) -> Eviction {
    try database.transaction { () throws(SQLiteError) in
      var sieve = try bodies.hand(of: rank)
      let former = sieve
      var freed = 0
      var end: Eviction?
      for _ in 0..<Self.batch where freed < wanted && end == nil {
        let outcome = try sieve.walk(
          steps: Self.stride,
          next: { (id) throws(SQLiteError) in try bodies.next(of: rank, from: id) },
          unmark: { (id) throws(SQLiteError) in
            if removal.unmark(id) { return true }
            return try bodies.find(id: id).map { removal.isHeld($0.digest) } ?? false
          })
        switch outcome {
        case .evicts(let id):
          if let bytes = try remove(id, removal) {
            freed += bytes
            removal.noteEviction(rank)
          } else {
            end = .refused
          }
        case .isUnderWay: end = .freed(freed)
        case .findsNone: end = .nothing
        }
      }
      if sieve != former { try bodies.setHand(sieve, of: rank) }
      return freed > 0 ? .freed(freed) : end ?? .freed(0)
    }
  }

  /// Drops a body that turned out to be missing or damaged, and all that refers to it.
  func drop(_ body: StoredBody, _ removal: Removal) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      // It may have been evicted meanwhile, and its number be another's.
      guard try bodies.find(id: body.id) == body else { return }
      _ = try remove(body.id, removal)
    }
  }

  /// - Returns: the bytes of the disk that are free now; nil when the system does not let the file go, and nothing changed.
  private func remove(_ id: Int64, _ removal: Removal) throws(SQLiteError) -> Int? {
    let body = try bodies.find(id: id)
    if let body, !removal.unlink(body) { return nil }
    try sources.forget(body: id)
    try derived.forget(body: id)
    try bodies.remove(id: id)
    return DiskBudget.diskBytes(body?.bytes ?? 0)
  }
}
