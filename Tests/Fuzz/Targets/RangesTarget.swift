import HTTP

extension FuzzTarget {
  /// Range fields.
  static let ranges = FuzzTarget("ranges") { bytes throws(Violation) in
    for length in [0, 1, 2, 10, 4096, Int.max] {
      let range = ByteRange(bytes.span, length: length)
      if case .part(let part) = range {
        try expect(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= length, "A part is one: \(part)")
      }
      if let spec = SingleRange(bytes) {
        try expectEqual(range, spec.range(of: length), "One plain range is what the RFC says, of \(length) bytes")
      }
      var spaced = bytes
      if bytes.count > 6 { spaced.insert(contentsOf: [44, 32], at: 6) }
      try expectEqual(ByteRange(spaced.span, length: length), range, "An empty element changes nothing")
    }
  }
}

/// `bytes=FIRST-LAST`, with at most fifteen digits each and no blank, read once more.
private struct SingleRange {
  private let first: Int?
  private let last: Int?

  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "bytes=".utf8) else { return nil }
    let parts = bytes.dropFirst(6).split(separator: 45, omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count < 16 && $0.allSatisfy(Octets.isDigit) }) else { return nil }
    first = Int(Octets.text(Array(parts[0])))
    last = Int(Octets.text(Array(parts[1])))
  }

  func range(of length: Int) -> ByteRange {
    switch (first, last) {
    case (nil, nil): .whole
    case (nil, let suffix?): suffix == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - suffix)..<length)
    case (let first?, let last?) where last < first: .whole
    case (let first?, _) where first >= length: .unsatisfiable
    case (let first?, let last): .part(first..<min(last ?? .max, length - 1) + 1)
    }
  }
}
