/// Crockford's base 32 in lower case: digits and letters without `i`, `l`, `o` and `u`, so that a name can be read out and
/// typed (https://www.crockford.com/base32.html).
public enum Base32 {
  /// The alphabet, by value: 32 ASCII bytes.
  public static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The first `bits` bits of `bytes`, most significant first, five to a character.
  ///
  /// When `bits` is no multiple of five, the last character is filled with zero bits. Fewer bits than asked for give a
  /// shorter name: 60 bits of a SHA-256 are twelve characters.
  public static func encode(_ bytes: some Sequence<UInt8>, bits: Int) -> String {
    String(decoding: encodedBytes(bytes, bits: bits), as: UTF8.self)
  }

  /// The same as ASCII bytes.
  public static func encodedBytes(_ bytes: some Sequence<UInt8>, bits: Int) -> [UInt8] {
    var text: [UInt8] = []
    var pending: UInt16 = 0  // never more than four waiting bits and one byte
    var pendingBits = 0
    var wanted = bits
    for byte in bytes {
      guard wanted > 0 else { break }
      let taken = min(8, wanted)
      pending = pending << UInt16(taken) | UInt16(byte) >> UInt16(8 - taken)
      pendingBits += taken
      wanted -= taken
      while pendingBits >= 5 {
        pendingBits -= 5
        text.append(alphabet[Int(pending >> UInt16(pendingBits) & 31)])
      }
    }
    if pendingBits > 0 {
      text.append(alphabet[Int(pending << UInt16(5 - pendingBits) & 31)])
    }
    return text
  }
}
