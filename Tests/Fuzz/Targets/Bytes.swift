/// Ways in which the network may cut the same bytes.
enum Pieces {
  /// Whole, byte by byte, and twice at places that the bytes themselves choose, so that a finding stays one.
  static func ways(_ count: Int, seededBy bytes: [UInt8]) -> [[Range<Int>]] {
    guard count > 0 else { return [[0..<0]] }
    var seed = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
    var ways = [[0..<count], (0..<count).map { $0..<$0 + 1 }]
    for longest in [7, 64] as [UInt64] {
      var way: [Range<Int>] = []
      var start = 0
      while start < count {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let end = min(count, start + 1 + Int(seed >> 33 % longest))
        way.append(start..<end)
        start = end
      }
      ways.append(way)
    }
    return ways
  }
}

/// What a check needs to know of bytes, written anew so that it does not share a fault with what it checks.
enum Octets {
  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Whether a byte may stand in a field's value.
  static func isFieldCharacter(_ byte: UInt8) -> Bool { byte == 9 || (byte >= 32 && byte != 127) }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 9 || byte == 32 }

  static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Whether the bytes could stand in a field line as its value, without a blank at either end.
  static func isFieldValue(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy(isFieldCharacter) && !(bytes.first.map(isBlank) ?? false) && !(bytes.last.map(isBlank) ?? false)
  }

  /// Whether every byte is visible ASCII.
  static func isVisible(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (33...126).contains($0) } }

  /// ASCII letters in upper case.
  static func upperCased(_ bytes: [UInt8]) -> [UInt8] { bytes.map { (97...122).contains($0) ? $0 - 32 : $0 } }

  /// Every byte as an escape.
  static func percentEncoded(_ bytes: [UInt8], lowerCase: Bool = false) -> [UInt8] {
    bytes.flatMap { byte in
      let digits = String(byte, radix: 16, uppercase: !lowerCase).utf8
      return [37] + (digits.count < 2 ? [48] : []) + Array(digits)
    }
  }

  /// Whether the bytes are UTF-8, as the standard library judges it.
  static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

  static func lines(_ bytes: [UInt8], atMost count: Int) -> [[UInt8]] {
    bytes.split(separator: 10, maxSplits: count - 1, omittingEmptySubsequences: false).map(Array.init)
  }
}
