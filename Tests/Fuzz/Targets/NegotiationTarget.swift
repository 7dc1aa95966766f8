import HTTP

extension FuzzTarget {
  /// Accept-Encoding and Accept-Language: each line of the input is a field line.
  static let negotiation = FuzzTarget("negotiation") { bytes throws(Violation) in
    let lines = Octets.lines(bytes, atMost: 8)
    let coding = best(lines)
    let language = Language(accepting: lines)
    try expectEqual(best(lines.map(Octets.upperCased)), coding, "Codings have no case")
    try expectEqual(Language(accepting: lines.map(Octets.upperCased)), language, "Languages have no case")
    let padded = lines.map { [44, 32, 9, 44] + $0 }
    try expectEqual(best(padded), coding, "Empty elements ask for no coding")
    try expectEqual(Language(accepting: padded), language, "Empty elements ask for no language")
    // An open quote swallows what follows on its line, so lines with one cannot be joined.
    if !bytes.contains(34) {
      let joined = [Array(lines.joined(separator: [44]))]
      try expectEqual(best(joined), coding, "Several lines are one list of codings")
      try expectEqual(Language(accepting: joined), language, "Several lines are one list of languages")
    }
    try expectEqual(best(lines + [Array("gzip".utf8)]), .gzip, "What is wanted most is given")
    try expectEqual(Language(accepting: [Array("ko-KR".utf8)] + lines), .korean, "Of equals the first counts")
    try expectEqual(Language(accepting: [Array("en".utf8)] + lines), .english, "Of equals the first counts")
  }

  private static func best(_ lines: [[UInt8]]) -> ContentCoding? {
    var accepted = AcceptedCodings()
    for line in lines { accepted.add(line.span) }
    return accepted.best
  }
}
