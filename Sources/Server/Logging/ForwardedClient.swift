import HTTP
import Net

/// The address of the client that a trusted proxy speaks for: what the proxy itself added, as the last element of `Forwarded`
/// (RFC 7239) or the older `X-Forwarded-For`. What stands before it is what the client chose to send.
enum ForwardedClient {
  /// Nil when the proxy says nothing, or hides it.
  static func address(_ head: RequestHead) -> IPAddress? {
    var found: IPAddress?
    if head.has(.forwarded) {
      head.forEachValue(of: .forwarded) { value in found = node(of: value.extracting(lastElement(value))) }
    } else {
      head.forEachValue(of: .xForwardedFor) { value in found = address(value.extracting(lastElement(value))) }
    }
    return found
  }

  private static func lastElement(_ value: Span<UInt8>) -> Range<Int> {
    var start = value.count
    while start > 0, value[start - 1] != UInt8(ascii: ",") { start -= 1 }
    return start..<value.count
  }

  /// The address in `for=192.0.2.1;proto=https` or `for="[2001:db8::1]:4711"`.
  private static func node(of element: Span<UInt8>) -> IPAddress? {
    var start = 0
    while start < element.count {
      var end = start
      while end < element.count, element[end] != UInt8(ascii: ";") { end += 1 }
      let pair = element.extracting(element.trimmed(start..<end))
      if pair.count > 4, pair[3] == UInt8(ascii: "="), pair.extracting(0..<3).equalsIgnoringCase("for") {
        return address(pair.extracting(4..<pair.count))
      }
      start = end + 1
    }
    return nil
  }

  /// Reads an address, in quotes, in brackets and with a port or not.
  private static func address(_ text: Span<UInt8>) -> IPAddress? {
    var range = text.trimmed(0..<text.count)
    if range.count > 1, text[range.lowerBound] == UInt8(ascii: "\""), text[range.upperBound - 1] == UInt8(ascii: "\"") {
      range = range.lowerBound + 1..<range.upperBound - 1
    }
    guard !range.isEmpty else { return nil }
    if text[range.lowerBound] == UInt8(ascii: "[") {
      guard let end = range.first(where: { text[$0] == UInt8(ascii: "]") }) else { return nil }
      range = range.lowerBound + 1..<end
    } else {
      // One colon stands before a port, several are an IPv6 address.
      let colons = range.filter { text[$0] == UInt8(ascii: ":") }
      if colons.count == 1 { range = range.lowerBound..<colons[0] }
    }
    guard range.count <= 45 else { return nil }
    return text.extracting(range).withUnsafeBytes { IPAddress(String(decoding: $0, as: UTF8.self)) }
  }
}
