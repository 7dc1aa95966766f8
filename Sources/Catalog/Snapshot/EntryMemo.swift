import Synchronization

/// What views made of an entry, kept as long as the entry itself.
///
/// An entry is replaced as soon as anything about it changes, so what was made from it is right for as long as it lives, and
/// goes when it goes: nobody has to look for what is outdated. Any thread may ask.
public struct EntryMemo: ~Copyable, Sendable {
  private let values = Mutex<[(key: Int, value: any AnyObject & Sendable)]>([])

  init() {}

  /// The value of a key, made now if it was not before.
  ///
  /// When two threads ask at once both may make it, and one of the results is kept; nothing waits while it is made.
  ///
  /// - Parameter key: who asks: a small number that each view has for itself, with one type of value.
  public func value<Value: AnyObject & Sendable>(of key: Int, make: () -> Value) -> Value {
    let kept = values.withLock { values in values.first { $0.key == key }?.value }
    if let kept = kept as? Value { return kept }
    let made = make()
    values.withLock { values in
      if let index = values.firstIndex(where: { $0.key == key }) {
        values[index].value = made
      } else {
        values.append((key, made))
      }
    }
    return made
  }
}
