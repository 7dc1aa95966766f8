import Text

/// The name of a picture that the catalog refers to, made from the reference alone: it is known before the picture is.
///
/// The first 60 bits of SHA-256 over the reference's bytes as the catalog stores them, written as twelve digits of
/// lower-case Crockford base32 (images.md, section 1). It shows nothing of the origin, and a client cannot choose it.
///
///     PictureID(reference: Array("images/galbi.jpg".utf8)).description  // "…", twelve digits
public struct PictureID: Hashable, Sendable {
  /// The 60 bits, in the low end.
  private let bits: UInt64

  /// How many digits an id is written with.
  public static let digitCount = 12

  /// The id of a reference, byte for byte: composed and decomposed Hangul make two ids.
  public init(reference: [UInt8]) { bits = Digest.of(reference).prefix >> 4 }

  /// Reads the twelve digits that ``digits`` writes; nil for anything else, capitals and look-alikes (`i l o u`) included.
  public init?(digits: some Collection<UInt8>) {
    guard digits.count == Self.digitCount else { return nil }
    var bits: UInt64 = 0
    for digit in digits {
      guard let value = Base32.alphabet.firstIndex(of: digit) else { return nil }
      bits = bits << 5 | UInt64(value)
    }
    self.bits = bits
  }

  /// The twelve digits.
  public var digits: [UInt8] {
    stride(from: 55, through: 0, by: -5).map { Base32.alphabet[Int(bits >> UInt64($0) & 31)] }
  }
}

extension PictureID: Comparable {
  /// The order of their digits.
  public static func < (one: PictureID, other: PictureID) -> Bool { one.bits < other.bits }
}

extension PictureID: CustomStringConvertible {
  /// The twelve digits as text, for names and logs.
  public var description: String { String(decoding: digits, as: UTF8.self) }
}
