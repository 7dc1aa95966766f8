import HTTP

/// What a proxy says of the scheme and host that its client asked for, in `Forwarded` (RFC 7239) or the older
/// `X-Forwarded-Proto` and `X-Forwarded-Host`.
///
/// Of a list the last element counts: it is the one that the trusted proxy itself added; the others are what its client
/// chose to send.
package struct ForwardedOrigin: Equatable {
  package private(set) var isEncrypted: Bool?
  package private(set) var authority: [UInt8]?

  package init() {}

  package init(_ head: RequestHead) {
    if let element = Self.lastElement(head.values(of: .forwarded)) {
      for pair in Self.split(element, at: UInt8(ascii: ";")) {
        let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard parts.count == 2 else { continue }
        let value = Self.unquoted(Self.trimmed(parts[1]))
        switch String(decoding: Self.trimmed(parts[0]), as: UTF8.self).lowercased() {
        case "proto": take(scheme: value)
        case "host": take(host: value)
        default: break
        }
      }
      return
    }
    if let scheme = Self.lastElement(head.values(of: .xForwardedProto)) { take(scheme: scheme) }
    if let host = Self.lastElement(head.values(of: .xForwardedHost)) { take(host: host) }
  }

  private mutating func take(scheme: [UInt8]) {
    switch String(decoding: scheme, as: UTF8.self).lowercased() {
    case "https": isEncrypted = true
    case "http": isEncrypted = false
    default: break
    }
  }

  private mutating func take(host: [UInt8]) {
    if RequestHead.isAuthority(host.span) { authority = host }
  }

  /// The last element of the last line, found from the right: whatever the client wrote in front of it, an open quote
  /// included, is not looked at.
  private static func lastElement(_ lines: [[UInt8]]) -> [UInt8]? {
    guard let line = lines.last else { return nil }
    var start = line.endIndex
    var isQuoted = false
    while start > line.startIndex {
      let byte = line[start - 1]
      if byte == UInt8(ascii: ","), !isQuoted { break }
      start -= 1
      if byte == UInt8(ascii: "\""), !isEscaped(line, start) { isQuoted.toggle() }
    }
    return trimmed(line[start...])
  }

  /// Whether an odd number of backslashes stands before a place.
  private static func isEscaped(_ line: [UInt8], _ index: Int) -> Bool {
    !line[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }

  /// Splits outside of quoted strings.
  private static func split(_ bytes: [UInt8], at separator: UInt8) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in bytes {
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      if byte == separator, !isQuoted { parts.append([]) } else { parts[parts.count - 1].append(byte) }
    }
    return parts
  }

  private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    return Array(Array(bytes.drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
  }

  private static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return bytes }
    return Array(bytes[1..<bytes.count - 1])
  }
}
