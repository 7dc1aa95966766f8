/// How long pictures count as fresh, whatever their origin says: the policy `image` of images.md, section 4. All in
/// seconds.
public struct FreshnessPolicy: Equatable, Sendable {
  /// At least, from the moment of the answer on. Pictures hardly ever change, and origins say `no-cache` out of habit.
  public var shortest: Int64 = 3_600
  /// When the origin says nothing.
  public var silent: Int64 = 86_400
  /// At most, from the moment of the answer on.
  public var longest: Int64 = 30 * 86_400

  /// An hour, a day, thirty days.
  public init() {}
}
