import Catalog

/// What an upstream's words mean: those of every surface, also where an upstream mixes them.
enum UpstreamWords {
  /// What a badge word says of a product.
  enum Meaning: Hashable {
    case badge(Badge)
    case soldOut
  }

  /// Every badge word of every surface.
  static let badges: [(word: String, meaning: Meaning)] = CompatibleSurface.all.flatMap(\.badgeRules).flatMap { rule in
    // In the order of the badges: the table itself has none.
    Badge.allCases.compactMap { badge in rule.words[badge].map { ($0, .badge(badge)) } }
      + (rule.soldOut.map { [($0, .soldOut)] } ?? [])
  }

  /// What a badge word means, and the known word that it was taken for; nil when it is none.
  static func badge(_ word: String) -> (word: String, meaning: Meaning)? {
    if let exact = badges.first(where: { $0.word == word }) { return exact }
    let near = badges.map { ($0, JamoDistance.between(word, $0.word)) }.min { $0.1 < $1.1 }
    guard let (known, distance) = near, distance <= tolerance(of: known.word) else { return nil }
    return known
  }

  /// How many letters may be wrong. In a word of two syllables a wrong one soon makes another word.
  private static func tolerance(of word: String) -> Int {
    switch word.count {
    case ...2: 0
    case 3...4: 1
    default: 2
    }
  }

  /// The way of sending of a word.
  static func deliveryType(_ word: String) -> DeliveryType? { DeliveryType.allCases.first { $0.word == word } }
}

extension CompatibleSurface {
  /// The rules for badges in its items.
  var badgeRules: [BadgeRule] {
    item.compactMap { field in
      guard case .badges(let rule) = field.value else { return nil }
      return rule
    }
  }
}

/// How many letters lie between two words of Hangul.
///
/// Counted in jamo, the letters that a syllable is made of, not in syllables: 이밴트 is one letter from 이벤트, while 할인특가,
/// one syllable and three letters from 메인특가, is another word.
enum JamoDistance {
  /// Levenshtein's distance over jamo; blanks do not count.
  static func between(_ one: String, _ other: String) -> Int {
    let (one, other) = (letters(of: one), letters(of: other))
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, otherLetter) in other.enumerated() {
        let substitution = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }

  /// The scalars of a word, syllables taken apart (The Unicode Standard, section 3.12). No more than a badge could have.
  private static func letters(of word: String) -> [UInt32] {
    word.unicodeScalars.prefix(40).flatMap { scalar -> [UInt32] in
      guard (0xAC00...0xD7A3).contains(scalar.value) else {
        return scalar.properties.isWhitespace ? [] : [scalar.value]
      }
      let index = scalar.value - 0xAC00
      let tail = index % 28
      return [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (tail == 0 ? [] : [0x11A7 + tail])
    }
  }
}
