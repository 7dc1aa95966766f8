import OriginScripts
import Testing

@testable import Images

@Suite struct ContentDecoderTests {
  /// 100,000 zero bytes, packed.
  private static let zeros: [UInt8] = Coded.gzip([UInt8](repeating: 0, count: 100_000))

  @Test("A coded picture is the picture, in whatever pieces it comes", arguments: [1, 7, 1_000, 1_000_000])
  func pieces(_ size: Int) throws {
    let picture = jpeg(200_000)
    for (coding, coded) in [
      (ContentDecoder.Coding.gzip, Coded.gzip(picture)), (.deflate, Coded.zlib(picture)),
      (.deflate, Coded.raw(picture)),
    ] {
      let decoder = ContentDecoder(coding, limit: 200_000)
      var output: [UInt8] = []
      for start in stride(from: 0, to: coded.count, by: size) {
        output += try decoder.decode(Array(coded[start..<min(coded.count, start + size)]))
      }
      #expect(decoder.isAtEnd)
      #expect(output == picture)
    }
  }

  @Test("A hundred kilobytes out of a hundred bytes end at the limit")
  func bomb() throws {
    #expect(Self.zeros.count < 200)
    #expect(throws: ContentDecoder.Fault.tooLarge(limit: 99_999)) {
      try ContentDecoder(.gzip, limit: 99_999).decode(Self.zeros)
    }
    let all = try ContentDecoder(.gzip, limit: 100_000).decode(Self.zeros)
    #expect(all.count == 100_000)
  }

  @Test("What is not the coding, goes on behind its end or was changed on the way is refused")
  func malformed() throws {
    let coded = Coded.gzip(jpeg(5_000))
    #expect(throws: ContentDecoder.Fault.malformed) { try ContentDecoder(.gzip, limit: 9_999).decode(jpeg(5_000)) }
    #expect(throws: ContentDecoder.Fault.malformed) { try ContentDecoder(.gzip, limit: 9_999).decode(coded + [0]) }
    var flipped = coded
    flipped[flipped.count - 8] ^= 1
    #expect(throws: ContentDecoder.Fault.malformed) { try ContentDecoder(.gzip, limit: 9_999).decode(flipped) }
    let cut = ContentDecoder(.gzip, limit: 9_999)
    _ = try cut.decode(Array(coded.dropLast()))
    #expect(!cut.isAtEnd)
  }

  @Test("Codings are known by their names, whatever their case; others are not known")
  func names() {
    func coding(_ name: String) -> ContentDecoder.Coding? { ContentDecoder.Coding(name: Array(name.utf8)) }
    #expect(coding("GZip") == .gzip)
    #expect(coding("x-gzip") == .gzip)
    #expect(coding("Deflate") == .deflate)
    for other in ["br", "zstd", "gzip, gzip", "compress", ""] { #expect(coding(other) == nil) }
  }

  @Test("An origin that packs its pictures all the same is understood", arguments: ["gzip", "deflate", "identity"])
  func fetched(_ coding: String) async throws {
    let picture = jpeg(50_000)
    let body = coding == "gzip" ? Coded.gzip(picture) : coding == "deflate" ? Coded.zlib(picture) : picture
    let origin = try ScriptedOrigin { $0.answer(200, fields: ["Content-Encoding: \(coding)"], body) }
    try await withFixture { fixture in
      try await fixture.withLibrary(origin.base, { $0.limits.bodyBytes = 60_000 }) { library in
        let fetched = try await library.picture("a.jpg").get()
        let found = try await library.picture("a.jpg").get()
        #expect(fetched.digest == Digest.of(picture))
        #expect(found.cacheStatus == .hit)
      }
    }
  }
}
