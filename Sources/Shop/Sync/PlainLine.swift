extension String {
  /// The text as one line for a terminal. What an upstream says stands in messages, and must not move the cursor, turn the
  /// reading direction or hide what follows: such characters become `·`.
  var plainLine: String {
    guard unicodeScalars.contains(where: \.isUnruly) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isUnruly ? "·" : scalar) }
    return String(scalars)
  }

  /// The first characters of a word that may be of any length.
  var shortened: String { count > 40 ? "\(prefix(40))…" : self }
}

extension Unicode.Scalar {
  /// Whether it does something else than be shown: controls, line and paragraph ends, and what turns the direction.
  fileprivate var isUnruly: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
