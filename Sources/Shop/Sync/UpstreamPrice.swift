import Catalog
import JSON
import Text

/// A price as upstreams write it: `"12,640원"`, `"12,640"`, `12640`, `12640.0`.
enum UpstreamPrice {
  /// The amount, or nil when it is none that the shop knows.
  static func won(_ value: JSONValue) -> Won? {
    switch value {
    case .integer(let amount): try? Won(amount)
    case .number(let amount): Int64(exactly: amount).flatMap { try? Won($0) }
    case .string(let text): won(text)
    default: nil
    }
  }

  private static func won(_ text: String) -> Won? {
    var bytes = trimmed(Array(text.nfc.utf8)[...])
    for sign in ["₩", "￦"] where bytes.starts(with: sign.utf8) { bytes = trimmed(bytes.dropFirst(sign.utf8.count)) }
    if bytes.suffix(word.count).elementsEqual(word) { bytes = trimmed(bytes.dropLast(word.count)) }
    // A comma stands between digits; where exactly is not worth losing a dish over.
    guard bytes.first != comma, bytes.last != comma else { return nil }
    guard let amount = try? Decimal.parse(bytes.filter { $0 != comma }, as: Int64.self) else { return nil }
    return try? Won(amount)
  }

  private static let word = Array("원".utf8)
  private static let comma = UInt8(ascii: ",")

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while bytes.first == UInt8(ascii: " ") { bytes = bytes.dropFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes = bytes.dropLast() }
    return bytes
  }
}
