/// The SHA-256 of a picture's bytes: what a body is stored under, and what tells whether an origin's bytes have changed.
public struct Digest: Hashable, Sendable {
  // Four words rather than an array: a digest is copied into rows, keys and findings without allocating.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// How many bytes a digest has.
  public static let byteCount = 32

  /// Takes the 32 bytes of a digest; nil for any other number of bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for byte in bytes {
      words = (
        words.0 << 8 | words.1 >> 56, words.1 << 8 | words.2 >> 56, words.2 << 8 | words.3 >> 56,
        words.3 << 8 | UInt64(byte)
      )
    }
    self.words = words
  }

  /// Takes the 64 lower-case hexadecimal digits that ``hex`` writes; nil for anything else.
  public init?(hex: some Collection<UInt8>) {
    guard hex.count == 2 * Self.byteCount else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    var high: UInt8?
    for digit in hex {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    self.init(bytes: bytes)
  }

  /// The digest of bytes that are all at hand.
  public static func of(_ bytes: [UInt8]) -> Digest {
    let hasher = DigestHasher()
    hasher.update(bytes)
    return hasher.finish()
  }

  /// The first 64 bits, the most significant byte first.
  var prefix: UInt64 { words.0 }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hex: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * Self.byteCount)
    for byte in bytes {
      for nibble in [byte >> 4, byte & 15] {
        digits.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Whether both have the same 32 bytes.
  public static func == (one: Digest, other: Digest) -> Bool {
    one.words.0 == other.words.0 && one.words.1 == other.words.1 && one.words.2 == other.words.2
      && one.words.3 == other.words.3
  }

  /// Feeds the first 64 bits, which are as random as all of them.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension Digest: CustomStringConvertible {
  /// The same as ``hex``.
  public var description: String { hex }
}
