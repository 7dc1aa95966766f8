import Synchronization

/// What the cache may take of the disk, and what it takes: bytes are set aside here before they are written, so that the
/// limit holds at every instant.
///
/// Counted, in whole blocks: every body that has a row in the index, files on their way in, files that have lost their name
/// and are still being sent, and the index with the largest journal that one of its transactions makes.
///
/// Its calls take a lock for some lines; any thread may make them.
final class DiskBudget: Sendable {
  private struct Hold {
    var count = 0
    /// Bytes of files without a name that may still be open.
    var namelessBytes = 0
  }

  private struct State {
    var limit: Int
    var minimumFree = 0
    var sums = IndexSums()
    var stored = 0
    var index = 0
    var reserved = 0
    var nameless = 0
    var holds: [Digest: Hold] = [:]
    /// How many bodies of each rank went to make room, in this run.
    var evictions: [BodyRank: Int] = [:]

    var used: Int { stored + index + reserved + nameless }
  }

  private let state: Mutex<State>

  /// More than the journal of any transaction: those that touch most pages drop eight bodies.
  static let journalRoom = 524_288

  init(limit: Int = .max) { state = Mutex(State(limit: limit)) }

  /// Bytes of disk that may be taken.
  var limit: Int { state.withLock { $0.limit } }

  /// Bytes of disk that are left free.
  var minimumFree: Int { state.withLock { $0.minimumFree } }

  /// Sets both. What is taken beyond them is for the caller to give up.
  func setLimits(bytes: Int, minimumFree: Int) {
    state.withLock { state in
      state.limit = bytes
      state.minimumFree = minimumFree
    }
  }

  /// Bytes in use now.
  var used: Int { state.withLock { $0.used } }

  /// The bytes that a file of this length takes on the disk.
  static func diskBytes(_ count: Int) -> Int {
    let block = IndexSchema.blockSize
    return (count + block - 1) / block * block
  }

  /// Sets bytes aside, all or none.
  ///
  /// - Returns: how many too few there are; 0 when they are set aside.
  func reserve(_ diskBytes: Int) -> Int {
    state.withLock { state in
      // Both are far from the ends of Int: the one is a disk's, the other a picture's.
      let missing = state.used + diskBytes - state.limit
      guard missing <= 0 else { return missing }
      state.reserved += diskBytes
      return 0
    }
  }

  /// Gives back what was set aside.
  func release(_ diskBytes: Int) { state.withLock { $0.reserved -= diskBytes } }

  /// Takes the sums of the index as they are after a transaction. `admitted` of what was set aside is in them now.
  func noteIndex(_ sums: IndexSums, admitted: Int = 0) {
    state.withLock { state in
      state.sums = sums
      state.stored = sums.diskBytes
      state.index = sums.fileBytes + Self.journalRoom
      state.reserved -= admitted
    }
  }

  // MARK: Telling

  /// The bodies of a rank, as the index had them after its last transaction.
  func total(of rank: BodyRank) -> BodyTotal { state.withLock { $0.sums[rank] } }

  /// Notes that a body of a rank goes to make room.
  func noteEviction(of rank: BodyRank) { state.withLock { $0.evictions[rank, default: 0] += 1 } }

  /// How many bodies of a rank went to make room, in this run.
  func evictions(of rank: BodyRank) -> Int { state.withLock { $0.evictions[rank] ?? 0 } }

  // MARK: Bodies in use

  /// Keeps a body from being evicted, and its bytes counted, while it is published or sent.
  func hold(_ digest: Digest) -> BodyHold {
    state.withLock { $0.holds[digest, default: Hold()].count += 1 }
    return BodyHold(digest, of: self)
  }

  fileprivate func letGo(_ digest: Digest) {
    state.withLock { state in
      guard var hold = state.holds[digest] else { return }
      hold.count -= 1
      if hold.count > 0 {
        state.holds[digest] = hold
      } else {
        state.holds[digest] = nil
        state.nameless -= hold.namelessBytes
      }
    }
  }

  func isHeld(_ digest: Digest) -> Bool { state.withLock { $0.holds[digest] != nil } }

  /// Notes that a body's file lost its name. The disk has its bytes back when nobody has it open any more.
  func noteUnlinked(_ digest: Digest, bytes: Int) {
    state.withLock { state in
      guard state.holds[digest] != nil else { return }
      let diskBytes = Self.diskBytes(bytes)
      state.holds[digest]?.namelessBytes += diskBytes
      state.nameless += diskBytes
    }
  }
}

/// A body in use; it ends when this is let go.
final class BodyHold: Sendable {
  private let digest: Digest
  private let budget: DiskBudget

  fileprivate init(_ digest: Digest, of budget: DiskBudget) {
    self.digest = digest
    self.budget = budget
  }

  deinit { budget.letGo(digest) }
}
