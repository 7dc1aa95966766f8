import HTTP

/// The answers that one loop has given before and may give again, found by target, host, scheme and coding without an
/// allocation.
///
/// Bounded in entries and bytes: when the young half is full it becomes the old half, and the former old half goes; an
/// answer found in the old half moves to the young one. A new generation empties the table.
struct AnswerTable {
  /// What a request must share with an earlier one to get its answer.
  struct Key {
    let hash: UInt64
    let isEncrypted: Bool
    let coding: ContentCoding
    /// Whether a trusted proxy's word on scheme and host is part of the request.
    let isForwarded: Bool

    static let forwardingFields: [FieldName] = [.forwarded, .xForwardedProto, .xForwardedHost]

    init(_ head: RequestHead, isEncrypted: Bool, coding: ContentCoding, isForwarded: Bool) {
      var hasher = WordHasher(seed: UInt64(coding.rawValue) << 1 | (isEncrypted ? 1 : 0))
      head.withTarget { hasher.combine($0) }
      head.withAuthority { hasher.combine($0) }
      if isForwarded {
        for name in Self.forwardingFields { head.forEachValue(of: name) { hasher.combine($0) } }
      }
      hash = hasher.value
      self.isEncrypted = isEncrypted
      self.coding = coding
      self.isForwarded = isForwarded
    }
  }

  private final class Entry {
    let target: [UInt8]
    let authority: [UInt8]
    let isEncrypted: Bool
    let coding: ContentCoding
    /// What a trusted proxy said, each line with a line end, which no value holds.
    let forwarding: [UInt8]
    let answer: PreparedResponse

    init(_ key: Key, _ head: RequestHead, _ answer: PreparedResponse) {
      target = head.withTarget { $0.array }
      authority = head.authority
      isEncrypted = key.isEncrypted
      coding = key.coding
      var forwarding: [UInt8] = []
      if key.isForwarded {
        for name in Key.forwardingFields {
          for value in head.values(of: name) { forwarding += value + [UInt8(ascii: "\n")] }
        }
      }
      self.forwarding = forwarding
      self.answer = answer
    }

    /// The answer, to be given once more.
    var answerAgain: PreparedResponse {
      answer.reuseObserver?.answerWasReused()
      return answer
    }

    func holds(at now: Int64) -> Bool { answer.reusableUntil.map { now < $0 } ?? true }

    func matches(_ key: Key, _ head: RequestHead) -> Bool {
      isEncrypted == key.isEncrypted && coding == key.coding && head.withTarget { isSame($0, target) }
        && head.withAuthority { isSame($0, authority) } && hasSameForwarding(key, head)
    }

    private func hasSameForwarding(_ key: Key, _ head: RequestHead) -> Bool {
      guard key.isForwarded else { return forwarding.isEmpty }
      var start = 0
      var isSame = true
      for name in Key.forwardingFields {
        head.forEachValue(of: name) { value in
          let end = start + value.count
          guard isSame, end < forwarding.count, forwarding[end] == UInt8(ascii: "\n") else {
            isSame = false
            return
          }
          for index in 0..<value.count where forwarding[start + index] != value[index] { isSame = false }
          start = end + 1
        }
      }
      return isSame && start == forwarding.count
    }

    private func isSame(_ span: Span<UInt8>, _ array: [UInt8]) -> Bool {
      guard span.count == array.count else { return false }
      for index in 0..<array.count where span[index] != array[index] { return false }
      return true
    }
  }

  private struct Half {
    var entries: [UInt64: Entry] = [:]
    var bytes = 0
  }

  private var young = Half()
  private var old = Half()
  private var generation: UInt64 = 0
  private let entriesPerHalf: Int
  private let bytesPerHalf: Int

  /// Bodies above this are worth reading again.
  static let largestBody = 1 << 20

  /// A table within two bounds.
  init(entries: Int = 2_048, bytes: Int = 16 << 20) {
    entriesPerHalf = entries / 2
    bytesPerHalf = bytes / 2
  }

  /// The answer to a request like this one, if it was given in this generation and its time has not passed.
  ///
  /// - Parameter now: seconds since 1970.
  mutating func answer(to head: RequestHead, _ key: Key, generation: UInt64, now: Int64) -> PreparedResponse? {
    guard generation == self.generation else {
      young = Half()
      old = Half()
      self.generation = generation
      return nil
    }
    if let entry = young.entries[key.hash] {
      return entry.holds(at: now) && entry.matches(key, head) ? entry.answerAgain : nil
    }
    guard let entry = old.entries[key.hash], entry.holds(at: now), entry.matches(key, head) else { return nil }
    insert(entry, hash: key.hash)
    return entry.answerAgain
  }

  /// Keeps an answer that was made in `generation`.
  mutating func keep(_ answer: PreparedResponse, to head: RequestHead, _ key: Key, generation: UInt64) {
    guard generation == self.generation, answer.bodyCount <= Self.largestBody else { return }
    switch answer.body {
    case .source, .stream: return
    case .empty, .bytes: break
    }
    insert(Entry(key, head, answer), hash: key.hash)
  }

  private mutating func insert(_ entry: Entry, hash: UInt64) {
    let size = entry.answer.bodyCount + entry.target.count + entry.authority.count + 1024
    if young.entries.count >= entriesPerHalf || young.bytes + size > bytesPerHalf {
      old = young
      young = Half()
    }
    if young.entries.updateValue(entry, forKey: hash) == nil { young.bytes += size }
  }
}

/// A quick hash of bytes, eight at a time. Whoever finds two targets with the same value gains a second rendering, and
/// nothing else: entries are compared by their bytes.
private struct WordHasher {
  private(set) var value: UInt64

  init(seed: UInt64) {
    value = seed ^ 0x9e37_79b9_7f4a_7c15
  }

  mutating func combine(_ bytes: Span<UInt8>) {
    var mixed = value
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset + 8 <= raw.count {
        mixed = Self.mix(mixed ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var tail: UInt64 = 0
      while offset < raw.count {
        tail = tail << 8 | UInt64(raw[offset])
        offset += 1
      }
      mixed = Self.mix(mixed ^ tail ^ UInt64(raw.count) << 56)
    }
    value = mixed
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return product.high ^ product.low
  }
}
