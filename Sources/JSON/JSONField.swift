/// A value in a document together with its place, read by asking for what it should be.
///
/// A question that the value cannot answer becomes a fault in the walk's list, and the walk goes on: a document is looked
/// through to its end, and every fault is told at once.
public struct JSONField {
  /// The value.
  public let value: JSONValue
  private let parent: JSONPointer
  private let step: Step?
  private let faults: JSONFaults

  private enum Step {
    case key(String)
    case index(Int)
  }

  /// A whole document.
  public init(document: JSONValue, faults: JSONFaults) {
    value = document
    parent = .root
    step = nil
    self.faults = faults
  }

  init(_ value: JSONValue, key: String, in parent: JSONPointer, faults: JSONFaults) {
    self.value = value
    self.parent = parent
    step = .key(key)
    self.faults = faults
  }

  private init(_ value: JSONValue, index: Int, in parent: JSONPointer, faults: JSONFaults) {
    self.value = value
    self.parent = parent
    step = .index(index)
    self.faults = faults
  }

  /// The place of the value. It is put together when asked for, as most places are never told.
  public var pointer: JSONPointer {
    switch step {
    case .key(let key): parent.appending(key)
    case .index(let index): parent.appending(index)
    case nil: parent
    }
  }

  /// Notes that the value breaks a rule.
  public func report(_ rule: JSONRule) {
    faults.add(JSONFault(pointer: pointer, value: value.summary, rule: rule))
  }

  /// The string, or nil and a fault.
  public func string() -> String? {
    guard case .string(let text) = value else { return wrongType(expected: .string) }
    return text
  }

  /// The flag, or nil and a fault.
  public func bool() -> Bool? {
    guard case .bool(let flag) = value else { return wrongType(expected: .boolean) }
    return flag
  }

  /// The integer within bounds, or nil and a fault.
  public func integer(in range: ClosedRange<Int64>) -> Int64? {
    switch value {
    case .integer(let number) where range.contains(number): return number
    case .integer: report(.outOfRange(range))
    // An integer past 64 bits arrives as a floating-point number.
    case .number(let number) where number.magnitude >= 0x1p63: report(.outOfRange(range))
    default: return wrongType(expected: .integer)
    }
    return nil
  }

  /// The elements of an array, or nil and a fault. When there are too few or too many, that is a fault too, but they are
  /// returned, so that theirs are found as well.
  public func elements(count: ClosedRange<Int>) -> [JSONField]? {
    guard case .array(let elements) = value else { return wrongType(expected: .array) }
    if !count.contains(elements.count) { report(.count(count)) }
    let here = pointer
    // Far past the bound nothing is learnt by looking at each one.
    return elements.prefix(max(count.upperBound, 1_000)).enumerated().map { index, element in
      JSONField(element, index: index, in: here, faults: faults)
    }
  }

  /// The members of an object, or nil and a fault. Each key that is not among `keys` is a fault.
  public func object(keys: [String]) -> ObjectReader? {
    guard case .object(let members) = value else { return wrongType(expected: .object) }
    return ObjectReader(members, at: pointer, keys: keys, faults: faults)
  }

  private func wrongType<Result>(expected kind: JSONValue.Kind) -> Result? {
    report(.wrongType(expected: kind))
    return nil
  }
}
