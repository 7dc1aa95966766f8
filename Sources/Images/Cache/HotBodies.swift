import Synchronization

/// The bodies that are asked for most, in memory up to a bound and shared by all event loops, so that answering with one
/// takes neither a thread nor the index; and of some thousands more, what is known of them and where they are.
///
/// A visit takes a lock for the length of a look-up, of one table in eight.
final class HotBodies: Sendable {
  enum Key: Hashable, Sendable {
    case source(SourceKey)
    case derived(DerivedKey)
  }

  struct Body: Sendable {
    /// What is known of the source; nil for what was derived.
    let record: SourceRecord?
    let digest: Digest
    let bytes: [UInt8]
    let visit: BodyVisit
  }

  /// A body that was found on the disk.
  struct Known: Sendable {
    /// What is known of the source; nil for what was derived.
    let record: SourceRecord?
    let place: BodyPlace
  }

  /// The state of things when somebody began to read a body from the disk.
  struct Ticket: Sendable {
    fileprivate let epoch: UInt64
  }

  private struct Shard {
    var table: SieveTable<Key, Body>
    var known: SieveTable<Key, Known>
    /// Moves on when what is known changes, so that whoever read before that keeps nothing outdated here.
    var epoch: UInt64 = 0
  }

  private final class Shelf: Sendable {
    let shard: Mutex<Shard>
    private let capacity: Int

    init(capacity: Int) {
      self.capacity = capacity
      shard = Mutex(Self.empty(capacity, epoch: 0))
    }

    func clear() { shard.withLock { $0 = Self.empty(capacity, epoch: $0.epoch &+ 1) } }

    private static func empty(_ capacity: Int, epoch: UInt64) -> Shard {
      Shard(
        table: SieveTable(capacity: capacity), known: SieveTable(capacity: min(knownLimit, capacity / overhead)),
        epoch: epoch)
    }
  }

  private let shelves: [Shelf]

  private static let shelfCount = 8
  /// Bodies of a shelf of which it is kept where they are: half a kilobyte each.
  private static let knownLimit = 512
  /// What an entry takes beside its bytes, roughly.
  private static let overhead = 1_024

  /// - Parameter capacity: bytes in all; an eighth bounds the largest body.
  init(capacity: Int) {
    shelves = (0..<Self.shelfCount).map { _ in Shelf(capacity: capacity / Self.shelfCount) }
  }

  private func shelf(of key: Key) -> Shelf {
    shelves[Int(UInt(bitPattern: key.hashValue) % UInt(Self.shelfCount))]
  }

  /// What all that is here takes, in bytes.
  var bytes: Int { shelves.reduce(0) { $0 + $1.shard.withLock { $0.table.cost } } }

  /// The body of a key, if it is here.
  func body(of key: Key) -> Body? {
    let body = shelf(of: key).shard.withLock { $0.table.value(for: key) }
    body?.visit.answerWasReused()
    return body
  }

  /// Where the body of a key was found, if that is known.
  func known(_ key: Key) -> Known? { shelf(of: key).shard.withLock { $0.known.value(for: key) } }

  /// Keeps where a body was found, unless what is known of it has changed meanwhile.
  func keep(_ known: Known, as key: Key, _ ticket: Ticket) {
    shelf(of: key).shard.withLock { shard in
      guard shard.epoch == ticket.epoch else { return }
      shard.known.insert(known, for: key, cost: 1)
    }
  }

  /// To be taken before a body is read from the disk.
  func ticket(for key: Key) -> Ticket { Ticket(epoch: shelf(of: key).shard.withLock { $0.epoch }) }

  /// Keeps a body that was read from the disk, unless what is known of it has changed meanwhile.
  func keep(_ body: Body, as key: Key, _ ticket: Ticket) {
    shelf(of: key).shard.withLock { shard in
      guard shard.epoch == ticket.epoch else { return }
      shard.table.insert(body, for: key, cost: body.bytes.count + Self.overhead) { $0.visit.takeMark() }
    }
  }

  /// Lets go of what is outdated.
  func forget(_ key: Key) {
    shelf(of: key).shard.withLock { shard in
      shard.table.remove(key)
      shard.known.remove(key)
      shard.epoch &+= 1
    }
  }

  /// Lets go of everything.
  func forgetAll() {
    for shelf in shelves { shelf.clear() }
  }
}
