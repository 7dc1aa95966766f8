import FoundationEssentials

/// Finds where a text that the decoder refused goes wrong.
///
/// FoundationEssentials' decoder says no more than “not valid JSON”. So it is asked again, about smaller and smaller parts:
/// the elements of the outermost array or object, then those of the one that it refuses, until nothing is left to divide.
/// The decoder stays the judge; the outline only divides.
struct JSONPlaceFinder {
  private let outline: JSONOutline
  /// Bytes that may still be given to the decoder, so that a text of many levels costs no more than a few readings. When
  /// they are used up, the place found so far is near enough.
  private var budget: Int
  /// What asking the decoder costs, however few the bytes.
  private static let costOfAsking = 256

  init(_ bytes: [UInt8]) {
    outline = JSONOutline(bytes: bytes)
    budget = bytes.count * 4 + 65_536
  }

  /// What is wrong with the text, which must be one that the decoder refuses.
  var syntaxError: JSONSyntaxError {
    let bytes = outline.bytes
    switch outline.finding {
    case .unclosed(let offset): return .endsEarly(opened: TextPlace(of: offset, in: bytes))
    case .unmatched(let offset): return .unmatchedBracket(at: TextPlace(of: offset, in: bytes))
    case .tooDeep(let offset): return .tooDeep(at: TextPlace(of: offset, in: bytes))
    case .balanced: break
    }
    var finder = self
    let range = finder.smallestRefusedPart
    let excerpt = String(decoding: bytes[range].prefix(160), as: UTF8.self).prefix(40)
    return .malformed(
      at: TextPlace(of: range.lowerBound, in: bytes), excerpt: JSONValue.string(String(excerpt)).summary)
  }

  private var smallestRefusedPart: Range<Int> {
    mutating get {
      var range = outline.trimmed(0..<outline.bytes.count)
      while let part = refusedPart(of: range) { range = part }
      return range
    }
  }

  /// The first part of an array or object that the decoder refuses, or nil when there is nothing to divide.
  private mutating func refusedPart(of range: Range<Int>) -> Range<Int>? {
    guard let first = range.first, let last = range.last, first < last else { return nil }
    let isObject = outline.bytes[first] == UInt8(ascii: "{") && outline.bytes[last] == UInt8(ascii: "}")
    let isArray = outline.bytes[first] == UInt8(ascii: "[") && outline.bytes[last] == UInt8(ascii: "]")
    guard isObject || isArray else { return nil }
    for element in outline.parts(of: first + 1..<last, separator: UInt8(ascii: ",")) {
      let element = outline.trimmed(element)
      guard budget > 0 else { return nil }
      guard isObject else {
        if isRefused(element) { return element }
        continue
      }
      let member = outline.parts(of: element, separator: UInt8(ascii: ":")).prefix(3).map(outline.trimmed)
      guard member.count == 2, outline.bytes[member[0]].first == UInt8(ascii: "\"") else { return element }
      if let part = member.first(where: { isRefused($0) }) { return part }
    }
    return nil
  }

  private mutating func isRefused(_ range: Range<Int>) -> Bool {
    budget -= range.count + Self.costOfAsking
    do {
      _ = try JSONDecoder().decode(Anything.self, from: Data(outline.bytes[range]))
      return false
    } catch {
      return true
    }
  }

  /// Any JSON value, of which only the structure is looked at.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }
}
