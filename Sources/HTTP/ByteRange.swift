/// One range of a representation's bytes (RFC 9110, section 14).
public enum ByteRange: Equatable, Sendable {
  /// Send the whole representation: the field is malformed, of another unit, or names several ranges.
  case whole
  /// Send these bytes; never empty, within the representation.
  case part(Range<Int>)
  /// Nothing of it exists: 416.
  case unsatisfiable

  /// Reads a Range field for a representation of `length` bytes.
  public init(_ field: Span<UInt8>, length: Int) {
    guard field.count > 6, field.extracting(0..<6).equalsIgnoringCase("bytes=") else {
      self = .whole
      return
    }
    let set = field.extracting(6...)
    var specs = 0
    var parsed = ByteRange.whole
    set.forEachListElement { element in
      specs += 1
      parsed = Self.range(set, element, length: length)
      return specs < 2
    }
    self = specs == 1 ? parsed : .whole
  }

  private static func range(_ set: Span<UInt8>, _ element: Range<Int>, length: Int) -> ByteRange {
    var dash = element.lowerBound
    while dash < element.upperBound, set[dash].isDigit { dash += 1 }
    guard dash < element.upperBound, set[dash] == UInt8(ascii: "-") else { return .whole }
    for index in dash + 1..<element.upperBound where !set[index].isDigit { return .whole }
    let firstDigits = element.lowerBound..<dash
    let lastDigits = dash + 1..<element.upperBound
    // Digits that do not fit into 63 bits lie beyond every representation.
    let first = set.decimal(firstDigits) ?? .max
    let last = set.decimal(lastDigits) ?? .max
    if firstDigits.isEmpty {
      guard !lastDigits.isEmpty else { return .whole }
      return last == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - min(last, length))..<length)
    }
    if !lastDigits.isEmpty, last < first { return .whole }
    guard first < length else { return .unsatisfiable }
    return .part(first..<(last >= length - 1 ? length : last + 1))
  }
}
