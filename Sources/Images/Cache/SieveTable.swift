/// A table in memory that holds so much and no more; ``Sieve`` decides which entry goes for a new one.
///
/// Finding costs a look-up or two and moves nothing. Belongs to whoever holds its lock.
struct SieveTable<Key: Hashable, Value> {
  private struct Entry {
    let key: Key
    let value: Value
    let cost: Int
    var isMarked = false
    var older: Int64?
    var newer: Int64?
  }

  /// What all entries may cost together.
  let capacity: Int
  /// What they cost.
  private(set) var cost = 0

  /// Entries are numbered in the order in which they came.
  private var numbers: [Key: Int64] = [:]
  private var entries: [Int64: Entry] = [:]
  private var oldest: Int64?
  private var newest: Int64?
  private var last: Int64 = 0
  private var sieve = Sieve()
  /// The entry that the hand comes to next; nil when it has passed the newest.
  private var atHand: Int64?

  init(capacity: Int) { self.capacity = capacity }

  var keys: some Collection<Key> { numbers.keys }

  /// Whether there is an entry; this is no visit.
  func contains(_ key: Key) -> Bool { numbers[key] != nil }

  /// An entry's value, which counts as a visit.
  mutating func value(for key: Key) -> Value? {
    guard let number = numbers[key] else { return nil }
    entries[number]?.isMarked = true
    return entries[number]?.value
  }

  /// Takes an entry, in place of an earlier one of its key; one that costs more than the table may hold is not taken.
  ///
  /// - Parameter wasVisited: asked for entries that are visited without the table's being asked; takes their mark.
  mutating func insert(_ value: Value, for key: Key, cost: Int, wasVisited: (Value) -> Bool = { _ in false }) {
    remove(key)
    guard cost <= capacity else { return }
    while self.cost + cost > capacity {
      guard evict(wasVisited) else { return }
    }
    last += 1
    numbers[key] = last
    entries[last] = Entry(key: key, value: value, cost: cost, older: newest)
    self.cost += cost
    if let newest { entries[newest]?.newer = last }
    newest = last
    if oldest == nil { oldest = last }
  }

  /// Removes an entry.
  mutating func remove(_ key: Key) {
    if let number = numbers[key] { remove(number) }
  }

  private mutating func remove(_ number: Int64) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    numbers[entry.key] = nil
    cost -= entry.cost
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
    if atHand == number { atHand = entry.newer }
  }

  private mutating func evict(_ wasVisited: (Value) -> Bool) -> Bool {
    var sieve = sieve
    let outcome = sieve.walk(
      next: { position in
        if position == 0 { atHand = oldest }
        return atHand
      },
      unmark: { number in
        guard let entry = entries[number] else { return false }
        atHand = entry.newer
        entries[number]?.isMarked = false
        return wasVisited(entry.value) || entry.isMarked
      })
    self.sieve = sieve
    guard case .evicts(let number) = outcome else { return false }
    remove(number)
    return true
  }
}
