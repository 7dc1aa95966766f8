/// What happens to products that the shop has and an imported catalog lacks.
public enum MissingProducts: Sendable {
  /// They are hidden: they keep their id and history, and come back when a later file has them again.
  case hide
  /// They are deleted.
  case delete
}

/// What an import did, or would do, in numbers of products.
public struct ImportSummary: Equatable, Sendable {
  /// Products that are new.
  public let created: Int
  /// Products that the file changed.
  public let changed: Int
  /// Products that are as they were.
  public let unchanged: Int
  /// Products that the file lacks and that were not hidden before.
  public let hidden: Int
  /// Products that the file lacks and that are gone.
  public let deleted: Int
  /// Whether anything changed, order, sections, collections and the shop's own data included.
  public let hasChanges: Bool

  /// A summary from its numbers.
  public init(created: Int, changed: Int, unchanged: Int, hidden: Int, deleted: Int, hasChanges: Bool) {
    self.created = created
    self.changed = changed
    self.unchanged = unchanged
    self.hidden = hidden
    self.deleted = deleted
    self.hasChanges = hasChanges
  }
}
