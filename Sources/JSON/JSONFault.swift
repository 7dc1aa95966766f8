/// One thing that is wrong with a document: where, what stands there, and which rule it breaks.
public struct JSONFault: Hashable, Sendable, CustomStringConvertible {
  /// Where.
  public let pointer: JSONPointer
  /// What stands there, in a few characters; nil when nothing does.
  public let value: String?
  /// What should stand there.
  public let rule: JSONRule

  /// A fault from its parts.
  public init(pointer: JSONPointer, value: String?, rule: JSONRule) {
    self.pointer = pointer
    self.value = value
    self.rule = rule
  }

  /// One line: “/products/3/price = -500: This must be an integer from 0 to 1000000000.”
  public var description: String {
    "\(pointer.shown)\(value.map { " = \($0)" } ?? ""): \(rule.english)"
  }
}

/// The faults found on one walk through a document, in the order in which they were found.
///
/// A walk belongs to one task, which hands out readers that all report here.
public final class JSONFaults {
  /// More faults than this are counted and not kept: a hostile document could hold millions.
  public static let limit = 10_000

  /// The faults, the first `limit` of them.
  public private(set) var list: [JSONFault] = []
  /// How many there were.
  public private(set) var total = 0

  /// No faults yet.
  public init() {}

  /// Notes a fault.
  public func add(_ fault: @autoclosure () -> JSONFault) {
    total += 1
    if list.count < Self.limit { list.append(fault()) }
  }
}
