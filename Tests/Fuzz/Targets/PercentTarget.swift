import HTTP
import Shop

extension FuzzTarget {
  /// Percent escapes: in a path, in a query, and by themselves.
  static let percent = FuzzTarget("percent") { bytes throws(Violation) in
    try checkDecoding(bytes)
    try checkPath(bytes)
    try checkQuery(bytes)
  }

  private static func checkDecoding(_ bytes: [UInt8]) throws(Violation) {
    let decoded = PercentEncoding.decode(bytes.span)
    let form = PercentEncoding.decodeForm(bytes.span)
    try expectEqual(decoded == nil, form == nil, "A broken escape is one in a form too")
    if let decoded {
      let escapes = bytes.count { $0 == 37 }
      try expectEqual(decoded.count, bytes.count - 2 * escapes, "Each escape is one byte")
      if escapes == 0 { try expectEqual(decoded, bytes, "What is not escaped stays") }
    } else {
      try expect(bytes.contains(37), "Without an escape none is broken")
    }
    for lowerCase in [false, true] {
      let escaped = Octets.percentEncoded(bytes, lowerCase: lowerCase)
      try expectEqual(PercentEncoding.decode(escaped.span), bytes, "What is escaped comes back")
      try expectEqual(PercentEncoding.decodeForm(escaped.span), bytes, "What is escaped comes back from a form")
    }
  }

  /// The parser's own UTF-8 automaton against the standard library's.
  private static func checkPath(_ bytes: [UInt8]) throws(Violation) {
    guard (1...2_000).contains(bytes.count) else { return }
    let path = [47] + Octets.percentEncoded(bytes)
    let text = Array("GET ".utf8) + path + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    let head = (try? RequestHead(parsing: text)) ?? nil
    let isClean = Octets.isUTF8(bytes) && !bytes.contains { [0, 10, 13].contains($0) }
    try expectEqual(head != nil, isClean, "A path is clean when it is UTF-8 without NUL and line ends")
    if let head { try expectEqual(head.path, path, "A path stays as it came") }
  }

  private static func checkQuery(_ bytes: [UInt8]) throws(Violation) {
    guard let parameters = QueryString.parameters(bytes) else {
      return try expect(PercentEncoding.decode(bytes.span) == nil, "Only a broken escape breaks a query")
    }
    try expect(parameters.count <= bytes.count { $0 == 38 } + 1, "A parameter is between two ampersands")
    let again = parameters.map { name, value in
      Octets.percentEncoded(Array(name.utf8)) + [61] + Octets.percentEncoded(Array(value.utf8))
    }
    let read = QueryString.parameters(Array(again.joined(separator: [38]))) ?? []
    try expectEqual(read.map { Array($0.name.utf8) }, parameters.map { Array($0.name.utf8) }, "Names come back")
    try expectEqual(read.map { Array($0.value.utf8) }, parameters.map { Array($0.value.utf8) }, "Values come back")
  }
}
