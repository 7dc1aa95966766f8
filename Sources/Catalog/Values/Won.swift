import JSON
import Text

/// An amount of money: whole won, from 0 to a milliard.
///
/// The bound is far above any dish, and low enough that no sum or product of prices overflows.
public struct Won: Hashable, Comparable, Sendable {
  /// The amounts there are.
  public static let range: ClosedRange<Int64> = 0...1_000_000_000

  /// The amount.
  public let amount: Int64

  /// An amount within `range`.
  public init(_ amount: Int64) throws(JSONRule) {
    guard Self.range.contains(amount) else { throw .outOfRange(Self.range) }
    self.amount = amount
  }

  init(stored amount: Int64) { self.amount = amount }

  /// The amount with commas and without 원: `12,640`.
  public var grouped: String { Grouping.thousands(amount) }

  /// Less and more.
  public static func < (less: Won, more: Won) -> Bool { less.amount < more.amount }
}
