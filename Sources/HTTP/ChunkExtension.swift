/// The grammar of chunk extensions, a byte at a time (RFC 9112, section 7.1.1):
/// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`, up to the CR that ends the line.
struct ChunkExtension: Sendable {
  enum Outcome { case goesOn, ends, malformed }

  private enum Place {
    /// Blanks before a semicolon.
    case beforeSemicolon
    case beforeName
    case name
    /// Blanks behind a name, before an equals sign or a semicolon.
    case afterName
    case beforeValue
    case value
    case quoted
    case escaped
    /// Behind a quoted string.
    case afterQuoted
  }

  private var place = Place.beforeSemicolon

  /// Takes the next byte; `ends` for the CR behind a whole extension.
  mutating func take(_ byte: UInt8) -> Outcome {
    switch place {
    case .beforeSemicolon: return separate(byte, canEnd: false)
    case .beforeName:
      if byte.isBlank { return .goesOn }
      return move(to: .name, if: byte.isTokenCharacter)
    case .name:
      if byte.isTokenCharacter { return .goesOn }
      if byte == Octet.equals { return move(to: .beforeValue) }
      if byte.isBlank { return move(to: .afterName) }
      return separate(byte, canEnd: true)
    case .afterName:
      if byte == Octet.equals { return move(to: .beforeValue) }
      return separate(byte, canEnd: false)
    case .beforeValue:
      if byte.isBlank { return .goesOn }
      if byte == Octet.quote { return move(to: .quoted) }
      return move(to: .value, if: byte.isTokenCharacter)
    case .value:
      return byte.isTokenCharacter ? .goesOn : separate(byte, canEnd: true)
    case .quoted:
      if byte == Octet.quote { return move(to: .afterQuoted) }
      if byte == Octet.backslash { return move(to: .escaped) }
      return byte.isFieldCharacter ? .goesOn : .malformed
    case .escaped: return move(to: .quoted, if: byte.isFieldCharacter)
    case .afterQuoted: return separate(byte, canEnd: true)
    }
  }

  private mutating func separate(_ byte: UInt8, canEnd: Bool) -> Outcome {
    if byte == Octet.semicolon { return move(to: .beforeName) }
    if byte.isBlank { return move(to: .beforeSemicolon) }
    return canEnd && byte == Octet.carriageReturn ? .ends : .malformed
  }

  private mutating func move(to next: Place, if isRight: Bool = true) -> Outcome {
    place = next
    return isRight ? .goesOn : .malformed
  }
}
