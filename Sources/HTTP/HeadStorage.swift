import Glibc

/// The memory that request heads are read into and parsed in, without a copy.
///
/// A connection takes one from its loop's pool when bytes arrive, and gives it back before it waits for the next
/// request. A `RequestHead` keeps it alive and reads it.
///
/// `@unchecked Sendable`: only its connection writes to it, and only while no `RequestHead` refers to it; a head that an
/// endpoint still holds makes `isKnownUniquelyReferenced` false, and the connection goes on with another storage.
public final class HeadStorage: @unchecked Sendable {
  let base: UnsafeMutablePointer<UInt8>
  /// Bytes it can hold: a whole head within the limits and a little more.
  public let capacity: Int
  /// The bytes not yet taken by a request are `start..<end`.
  public internal(set) var start = 0
  /// The end of the bytes that have been read.
  public private(set) var end = 0
  var fields: [FieldRange] = []

  /// Storage for heads within `limits`.
  public init(limits: RequestLimits) {
    capacity = limits.requestLine + limits.fieldBlock + 1024
    base = .allocate(capacity: capacity)
    fields.reserveCapacity(limits.fieldCount)
  }

  deinit {
    base.deallocate()
  }

  /// How many bytes are waiting.
  public var count: Int { end - start }

  /// Lends the free room behind the bytes; `body` returns how many it filled.
  public func fill<Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int?
  ) throws(Failure) -> Int? {
    makeRoom()
    let filled = try body(UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end))
    end += filled ?? 0
    return filled
  }

  /// Takes the first bytes of what is waiting, up to `limit` of them.
  public func take(upTo limit: Int) -> [UInt8] {
    let taken = min(limit, count)
    defer { start += taken }
    return Array(UnsafeBufferPointer(start: base + start, count: taken))
  }

  /// Copies what is waiting into another storage, which must be empty.
  public func copyRest(to other: HeadStorage) {
    let copied = min(count, other.capacity)
    other.base.update(from: base + start, count: copied)
    other.start = 0
    other.end = copied
  }

  /// Puts bytes before those that are waiting; at most as many as there is room for.
  public func prepend(_ bytes: ArraySlice<UInt8>) {
    let count = min(bytes.count, capacity - self.count)
    (base + count).update(from: base + start, count: self.count)
    for (offset, byte) in bytes.prefix(count).enumerated() { base[offset] = byte }
    end = count + self.count
    start = 0
  }

  /// Forgets all bytes.
  public func reset() {
    start = 0
    end = 0
    fields.removeAll(keepingCapacity: true)
  }

  private func makeRoom() {
    if start == end {
      start = 0
      end = 0
    } else if start > 0, capacity - end < capacity / 2 {
      base.update(from: base + start, count: count)
      end -= start
      start = 0
    }
  }

  /// The offset of the first line feed at or behind `offset`.
  func firstLineFeed(from offset: Int) -> Int? {
    guard let found = memchr(base + offset, Int32(Octet.lineFeed), end - offset) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  @inline(__always)
  func span<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count).span)
  }
}

/// Where one field line stands, from the start of its head.
struct FieldRange {
  var name: Range<Int>
  var value: Range<Int>
}
