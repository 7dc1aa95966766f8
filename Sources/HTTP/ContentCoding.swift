/// The codings that an answer can have (RFC 9110, section 8.4.1).
public enum ContentCoding: UInt8, Sendable, Hashable, CaseIterable {
  case identity, gzip
}

/// What an Accept-Encoding field accepts of our codings, by its q-values (RFC 9110, section 12.5.3).
public struct AcceptedCodings: Equatable, Sendable {
  /// Thousandths, 0 to 1000; nil when not mentioned.
  private var gzip: Int?
  private var identity: Int?
  private var others: Int?

  /// What a request without the field accepts: identity is what such clients understand.
  public init() {}

  /// Adds one line of the field. An element with a malformed weight says nothing.
  public mutating func add(_ line: Span<UInt8>) {
    line.forEachListElement { element in
      let (name, weight) = Weighted.split(line, element)
      guard let weight else { return true }
      let coding = line.extracting(name)
      if coding.equalsIgnoringCase("gzip") || coding.equalsIgnoringCase("x-gzip") {
        gzip = max(gzip ?? 0, weight)
      } else if coding.equalsIgnoringCase("identity") {
        identity = weight
      } else if coding.equalsIgnoringCase("*") {
        others = weight
      }
      return true
    }
  }

  /// The coding to answer in; nil when neither is acceptable. gzip wins a tie.
  public var best: ContentCoding? {
    let gzipWeight = gzip ?? others ?? 0
    // Identity is acceptable unless it is refused, by name or by a star without it.
    let identityWeight = identity ?? (others == 0 ? 0 : nil)
    if gzipWeight > 0, gzipWeight >= (identityWeight ?? 0) { return .gzip }
    return identityWeight == 0 ? nil : .identity
  }
}

/// One element of a list with weights: `name;q=0.5`.
enum Weighted {
  /// The name's range and the weight in thousandths: 1000 when none is given, nil when it is malformed.
  static func split(_ list: Span<UInt8>, _ element: Range<Int>) -> (name: Range<Int>, weight: Int?) {
    var end = element.lowerBound
    while end < element.upperBound, list[end] != Octet.semicolon { end += 1 }
    let name = list.trimmed(element.lowerBound..<end)
    while end < element.upperBound {
      let start = end + 1
      end = start
      while end < element.upperBound, list[end] != Octet.semicolon { end += 1 }
      let parameter = list.trimmed(start..<end)
      guard parameter.count >= 2, list[parameter.lowerBound].lowercased == UInt8(ascii: "q"),
        list[parameter.lowerBound + 1] == Octet.equals
      else { continue }
      return (name, weight(list.extracting(parameter.lowerBound + 2..<parameter.upperBound)))
    }
    return (name, 1000)
  }

  /// A qvalue in thousandths: `0`, `1`, `0.5`, `1.000`, three decimals at most (RFC 9110, section 12.4.2).
  static func weight(_ text: Span<UInt8>) -> Int? {
    guard (1...5).contains(text.count), text[0] == UInt8(ascii: "0") || text[0] == UInt8(ascii: "1") else { return nil }
    var value = Int(text[0] - UInt8(ascii: "0")) * 1000
    guard text.count > 1 else { return value }
    guard text[1] == UInt8(ascii: ".") else { return nil }
    var scale = 100
    for index in 2..<text.count {
      guard text[index].isDigit else { return nil }
      value += Int(text[index] - UInt8(ascii: "0")) * scale
      scale /= 10
    }
    return value <= 1000 ? value : nil
  }
}
