import Testing

@testable import Images

@Suite struct DigestTests {
  // FIPS 180-4 examples, as NIST publishes them.
  @Test(
    "Digests are SHA-256",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func known(_ text: String, _ hex: String) {
    #expect(Digest.of(Array(text.utf8)).hex == hex)
    #expect(Digest(hex: Array(hex.utf8)) == Digest.of(Array(text.utf8)))
  }

  @Test("Bytes may come in pieces of any size")
  func pieces() {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for size in [1, 7, 64, 4096] {
      let hasher = DigestHasher()
      for start in stride(from: 0, to: bytes.count, by: size) {
        hasher.update(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(hasher.finish() == Digest.of(bytes))
      hasher.update([1])
      #expect(hasher.finish() == Digest.of(bytes))
    }
  }

  @Test("Only 32 bytes, or 64 small digits, are a digest")
  func strict() {
    let digest = Digest.of([1, 2, 3])
    #expect(Digest(bytes: digest.bytes) == digest)
    #expect(Digest(bytes: digest.bytes.dropLast()) == nil)
    #expect(Digest(bytes: digest.bytes + [0]) == nil)
    #expect(Digest(hex: digest.hex.utf8.dropLast()) == nil)
    #expect(Digest(hex: Array(digest.hex.uppercased().utf8)) == nil)
  }
}
