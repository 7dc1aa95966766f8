import Glibc

#if DEBUG
  typealias Resumption = CheckedContinuation<Void, Never>
#else
  typealias Resumption = UnsafeContinuation<Void, Never>
#endif

/// What an event loop knows of one descriptor (or of a timer, which has none).
struct Slot {
  /// Goes up when the slot is given to another descriptor, so that an event for the old one is recognised as late.
  var generation: UInt32 = 0
  var descriptor: Int32 = -1
  /// Readiness, remembered because epoll reports each change once.
  var isReadable = false
  var isWritable = false
  /// Whether epoll tells of the descriptor's changes.
  var isWatched = false
  /// The other side has sent its last byte, or the connection is broken, as far as epoll has told.
  var hasHungUp = false
  /// The deadline passed, or this side wants the stream to end.
  var hasExpired = false
  var deadline = Deadline.never
  /// The suspended reader or writer: one slot per direction.
  var reader: Resumption?
  var writer: Resumption?
}

/// Names a slot for as long as its descriptor is registered.
struct SlotHandle: Equatable {
  let index: UInt32
  let generation: UInt32

  var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }

  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }

  init(token: UInt64) {
    index = UInt32(truncatingIfNeeded: token)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }
}

/// The slots of one event loop: they never move, are reused, and are found by number. Only the loop's thread touches them.
struct SlotTable {
  private static let chunkSize = 256
  private var chunks: [UnsafeMutablePointer<Slot>] = []
  private var free: [UInt32] = []

  /// How many slots there are, used or not.
  var count: Int { chunks.count * Self.chunkSize }

  subscript(index: UInt32) -> UnsafeMutablePointer<Slot> {
    chunks[Int(index) / Self.chunkSize] + Int(index) % Self.chunkSize
  }

  /// The slot of a handle, or nil when it has been given away since.
  subscript(handle: SlotHandle) -> UnsafeMutablePointer<Slot>? {
    guard Int(handle.index) < count else { return nil }
    let slot = self[handle.index]
    return slot.pointee.generation == handle.generation ? slot : nil
  }

  mutating func take(descriptor: Int32) -> SlotHandle {
    if free.isEmpty { grow() }
    let index = free.removeLast()
    let slot = self[index]
    let generation = slot.pointee.generation &+ 1
    slot.pointee = Slot(generation: generation, descriptor: descriptor)
    return SlotHandle(index: index, generation: generation)
  }

  mutating func giveBack(_ handle: SlotHandle) {
    let slot = self[handle.index]
    slot.pointee = Slot(generation: slot.pointee.generation &+ 1)
    free.append(handle.index)
  }

  private mutating func grow() {
    let first = UInt32(count)
    let chunk = UnsafeMutablePointer<Slot>.allocate(capacity: Self.chunkSize)
    chunk.initialize(repeating: Slot(), count: Self.chunkSize)
    chunks.append(chunk)
    free.append(contentsOf: (first..<first + UInt32(Self.chunkSize)).reversed())
  }

  /// Frees the memory; no handle may be used afterwards.
  mutating func deallocate() {
    for chunk in chunks {
      chunk.deinitialize(count: Self.chunkSize)
      chunk.deallocate()
    }
    chunks = []
    free = []
  }
}
