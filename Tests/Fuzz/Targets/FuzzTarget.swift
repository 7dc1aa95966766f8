/// Something that reads bytes from outside, and what must hold of it whatever the bytes are.
///
/// The same checks run over random bytes (`make fuzz`) and over the kept ones in `Tests/Fuzz/Corpus` (`make test`). A check
/// depends on its bytes alone, so whatever it finds once it finds again.
public struct FuzzTarget: Sendable {
  /// The name of the target, and of its folder in the corpus.
  public let name: String
  /// Throws when an invariant is broken.
  public let check: @Sendable ([UInt8]) throws(Violation) -> Void

  init(_ name: String, _ check: @escaping @Sendable ([UInt8]) throws(Violation) -> Void) {
    self.name = name
    self.check = check
  }

  /// All targets.
  public static let all = [
    requestHead, chunks, responseHead, ranges, preconditions, dates, negotiation, percent, pictureNames, originURLs,
    routes, forwarded, seedFiles, json, pictures, workerMessages,
  ]

  /// The target of a name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// An invariant that does not hold.
public struct Violation: Error, CustomStringConvertible {
  /// What should hold, and what was found instead.
  public let description: String
}

/// Throws unless the invariant holds.
func expect(_ holds: Bool, _ invariant: @autoclosure () -> String) throws(Violation) {
  guard holds else { throw Violation(description: invariant()) }
}

/// Throws unless both are equal.
func expectEqual<Value: Equatable>(
  _ one: Value, _ other: Value, _ invariant: @autoclosure () -> String
) throws(Violation) {
  guard one != other else { return }
  throw Violation(description: "\(invariant())\n  one:   \(one)\n  other: \(other)")
}
