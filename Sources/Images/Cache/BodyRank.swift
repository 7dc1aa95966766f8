/// How dear a stored body is to the cache. The cheap ones are evicted first, so the order of the cases matters.
public enum BodyRank: Int64, CaseIterable, Sendable {
  /// Nothing refers to it: it is on its way in, or was replaced.
  case loose = 0
  /// It can be made again from an original.
  case derived = 1
  /// It can be fetched again, and no product shows it.
  case original = 2
  /// A product shows it.
  case pinned = 3
}
