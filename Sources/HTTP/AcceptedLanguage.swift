/// The two languages that texts for people come in.
public enum Language: Sendable, Hashable, CaseIterable {
  case korean, english

  /// The language to answer in, by the weights of Accept-Language fields, the first named of equals; English when
  /// neither is asked for.
  public init(accepting lines: [[UInt8]]) {
    var best: (language: Language, weight: Int) = (.english, 0)
    for line in lines {
      let line = line.span
      line.forEachListElement { element in
        let (name, weight) = Weighted.split(line, element)
        let tag = line.extracting(name)
        guard let weight, weight > best.weight else { return true }
        if Self.matches(tag, "ko") {
          best = (.korean, weight)
        } else if Self.matches(tag, "en") {
          best = (.english, weight)
        }
        return true
      }
    }
    self = best.language
  }

  /// `ko`, or `ko-` and a subtag (RFC 4647, section 3.3.1).
  private static func matches(_ tag: Span<UInt8>, _ primary: StaticString) -> Bool {
    guard tag.count >= 2, tag.extracting(0..<2).equalsIgnoringCase(primary) else { return false }
    return tag.count == 2 || tag[2] == UInt8(ascii: "-")
  }
}
