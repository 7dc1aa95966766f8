import DeriveWire
import Testing

@testable import Derive

@Suite("A picture is refused")
struct RefusalTests {
  @Test("when it is cut short, wherever that is", arguments: DerivedFormat.allCases)
  func truncated(_ format: DerivedFormat) throws {
    let whole = try picture(format)
    #expect(deriver.refusal(whole) == nil)
    for part in stride(from: 0, to: 200, by: 1) {
      let cut = Array(whole[..<(whole.count * part / 200)])
      #expect(deriver.refusal(cut) != nil, "after \(cut.count) of \(whole.count) bytes")
    }
    // Only the end itself is missing.
    #expect(deriver.refusal(whole.dropLast()) != nil)
    #expect(deriver.refusal(whole.dropLast(2)) != nil)
  }

  @Test("when a PNG's checksum is wrong")
  func checksum() throws {
    var bytes = try picture(.png)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "IDAT".utf8) })
    bytes[place + 40] ^= 1
    #expect(deriver.refusal(bytes) == .broken)
  }

  @Test("when it is nothing, or something else", arguments: ["", "<svg/>", "GIF89a", "\u{0}\u{0}\u{0}\u{0}", "RIFF"])
  func other(_ text: String) {
    #expect(deriver.refusal(Array(text.utf8)) == .unknownFormat)
  }

  @Test(
    "for its head alone when it has too many pixels",
    arguments: [(16_384, 1), (1, 16_384), (65_535, 65_535), (7_072, 7_072), (16_383, 3_053)])
  func pixels(_ width: Int, _ height: Int) {
    // There is nothing after the head: whoever began to decode would find the file cut short.
    #expect(deriver.refusal(Bombs.png(width, height)) == .tooManyPixels)
    #expect(deriver.refusal(Bombs.jpeg(width, height)) == .tooManyPixels)
    if width <= 16_384, height <= 16_384 {
      #expect(deriver.refusal(Bombs.webp(width, height)) == .tooManyPixels)
    }
  }

  @Test("for sides that no machine could hold")
  func absurd() {
    #expect(deriver.refusal(Bombs.png(0xFFFF_FFFF, 0xFFFF_FFFF, isInterlaced: true)) == .tooManyPixels)
    #expect(deriver.refusal(Bombs.png(0x7FFF_FFFF, 1, isInterlaced: true)) == .tooManyPixels)
  }

  @Test("not for its head when it has just so many")
  func justSoMany() {
    // Decoding begins, and finds no table.
    #expect(deriver.refusal(Bombs.jpeg(7_071, 7_071)) == .broken)
    #expect(deriver.refusal(Bombs.png(16_383, 3_051)) == .truncated)
  }

  @Test("for its head alone when it would take too much memory")
  func memory() {
    // All coefficients of a progressive picture, and of one in several scans: 7,000² × 3 × 2 bytes.
    #expect(deriver.refusal(Bombs.jpeg(7_000, 7_000, isProgressive: true)) == .overBudget)
    #expect(deriver.refusal(Bombs.jpeg(7_000, 7_000, scanned: 1)) == .overBudget)
    #expect(deriver.refusal(Bombs.jpeg(5_000, 5_000, isProgressive: true)) == .broken)
    // All rows of an interlaced one, and what a lossless WebP is unpacked to.
    let small = Deriver(budget: Budget(bytes: 64 << 20))
    #expect(small.refusal(Bombs.png(4_500, 4_500, isInterlaced: true)) == .overBudget)
    #expect(small.refusal(Bombs.png(4_500, 4_500)) == .truncated)
    #expect(small.refusal(Bombs.webp(4_000, 4_000)) == .overBudget)
    // What is made counts, too: a long picture at its full width.
    #expect(small.refusal(Bombs.jpeg(1_280, 16_000), [target(1_280)]) == .overBudget)
  }

  @Test("when a JPEG comes in scans without end")
  func scans() throws {
    // The first scan's header over and over: each is a pass over the whole picture.
    var bytes = try picture(.jpeg)
    let start = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes[frame + 1] = 0xC2
    let scan = [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 0, 0x10] as [UInt8]
    let many = Array(bytes[..<start]) + (0..<200).flatMap { _ in scan + [0xFF, 0x00] }
    #expect(deriver.refusal(many + [0xFF, 0xD9]) != nil)
  }

  @Test("when it moves")
  func animated() {
    #expect(deriver.refusal(Bombs.webp(100, 100, isAnimated: true)) == .animated)
    #expect(deriver.refusal(Bombs.png(100, 100, isAnimated: true)) == .animated)
  }

  @Test("as PNG, when it has no transparency")
  func opaque() throws {
    #expect(deriver.refusal(try picture(.jpeg), [target(320, .png)]) == .opaque)
    #expect(deriver.refusal(try picture(.webp), [target(320, .png)]) == nil)
  }

  @Test("or derived, whatever a byte of it is changed to", arguments: DerivedFormat.allCases)
  func anyByte(_ format: DerivedFormat) throws {
    let whole = try picture(format, 40, 30)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0xFF
      // That it comes back is what counts.
      _ = deriver.refusal(bytes)
    }
  }
}

/// Heads of pictures that would be large, and nothing after them.
enum Bombs {
  static func jpeg(_ width: Int, _ height: Int, isProgressive: Bool = false, scanned: Int = 3) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, isProgressive ? 0xC2 : 0xC0, 0, 17, 8]
    bytes += big(height, 2) + big(width, 2)
    bytes += [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    bytes += [0xFF, 0xDA, 0, UInt8(6 + 2 * scanned), UInt8(scanned)]
    for component in 1...scanned { bytes += [UInt8(component), 0] }
    return bytes + [0, 63, 0]
  }

  static func png(_ width: Int, _ height: Int, isInterlaced: Bool = false, isAnimated: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", big(width, 4) + big(height, 4) + [8, 6, 0, 0, isInterlaced ? 1 : 0])
    if isAnimated { bytes += chunk("acTL", [UInt8](repeating: 0, count: 8)) }
    return bytes + big(9, 4) + Array("IDAT".utf8)
  }

  /// A chunk with its checksum, by the bit (PNG, annex D).
  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var sum = UInt32.max
    for byte in Array(name.utf8) + content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return big(content.count, 4) + Array(name.utf8) + content + big(Int(~sum), 4)
  }

  static func webp(_ width: Int, _ height: Int, isAnimated: Bool = false) -> [UInt8] {
    var bytes = Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBPVP8X".utf8)
    bytes += [10, 0, 0, 0, isAnimated ? 2 : 0, 0, 0, 0]
    bytes += big(width - 1, 3).reversed() + big(height - 1, 3).reversed()
    return bytes + Array("VP8L".utf8) + [100, 0, 0, 0]
  }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }
}
