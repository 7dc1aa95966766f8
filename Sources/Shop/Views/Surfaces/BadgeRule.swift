import Catalog

/// Which badges a surface's clients know, and what they expect when there is none.
///
/// A badge without a word here is left out: clients decode an enum, and any other word fails their whole list.
struct BadgeRule: Sendable {
  /// The words, by badge.
  let words: [Badge: String]
  /// The word of a product that is sold out, where the surface has one. It comes last.
  var soldOut: String?
  /// In these sections no badge is `[]`; elsewhere the key is absent.
  var emptyListSections: [String] = []
  /// Whether the key is always there beside a list price, if need be as `[]`: one client goes blank otherwise.
  let accompaniesListPrice: Bool

  /// The words of a product, or nil when the key is absent.
  func words(of entry: ProductEntry) -> [String]? {
    var shown = entry.product.badges.compactMap { words[$0] }
    if entry.product.status == .soldOut, let soldOut { shown.append(soldOut) }
    let isExpected =
      !shown.isEmpty || accompaniesListPrice && entry.product.listPrice != nil
      || emptyListSections.contains(entry.section.id.text)
    return isExpected ? shown : nil
  }
}
