import Testing

@testable import Images

/// Bytes written as text, with `\xNN`-like bytes given apart.
private func bytes(_ parts: Any...) -> [UInt8] {
  parts.flatMap { part -> [UInt8] in
    if let text = part as? String { return Array(text.utf8) }
    if let numbers = part as? [Int] { return numbers.map { UInt8(truncatingIfNeeded: $0) } }
    return []
  }
}

@Suite struct BodyKindTests {
  @Test(
    "A picture is told by its first bytes",
    arguments: [
      (bytes([0xFF, 0xD8, 0xFF, 0xE0], "JFIF"), PictureFormat.jpeg),
      (bytes([0xFF, 0xD8, 0xFF]), .jpeg),
      (bytes([0x89], "PNG\r\n", [0x1A], "\n"), .png),
      (bytes("GIF87a"), .gif), (bytes("GIF89a", [1, 0]), .gif),
      (bytes("RIFF", [0x24, 0, 0, 0], "WEBPVP8 "), .webp), (bytes("RIFF", [1, 2, 3, 4], "WEBPVP8X"), .webp),
      (bytes([0, 0, 0, 0x1C], "ftypavif", [0, 0, 0, 0], "avifmif1miaf"), .avif),
      (bytes([0, 0, 0, 0x18], "ftypmif1", [0, 0, 0, 0], "mif1avis"), .avif),
      (bytes([0, 0, 0, 0x18], "ftypheic", [0, 0, 0, 0], "mif1heic"), .heic),
      (bytes([0, 0, 0, 0x18], "ftypmif1", [0, 0, 0, 0], "mif1heix", "avif"), .heic),
      (bytes("<svg xmlns='http://www.w3.org/2000/svg'>"), .svg),
      (bytes([0xEF, 0xBB, 0xBF], "\n<?xml version='1.0'?><!-- a --><SVG>"), .svg),
    ])
  func pictures(_ bytes: [UInt8], _ format: PictureFormat) { #expect(BodyKind(prefix: bytes) == .picture(format)) }

  @Test(
    "What is no picture is called by its name",
    arguments: [
      (bytes(), "nothing"), (bytes(" \n"), "blank text"), (bytes("<!DOCTYPE html><svg>"), "HTML"),
      (bytes("\n  <HTML>"), "HTML"), (bytes("<!-- x --><html>"), "HTML"),
      (bytes("<?xml version='1.0'?><Error/>"), "XML"),
      (bytes("{\"error\":404}"), "JSON"), (bytes("[]"), "JSON"), (bytes("not found\n"), "text"),
      (bytes("없음"), "text"), (bytes([0, 1, 2, 3]), "an unknown format"), (bytes([0xFF, 0xD8]), "an unknown format"),
      (bytes([0x89], "PNG\n"), "an unknown format"), (bytes("RIFF", [0, 0, 0, 0], "WAVE"), "an unknown format"),
      (bytes([0, 0, 0, 0x18], "ftypmp42", [0, 0, 0, 0], "mp42isom"), "an unknown format"),
      (bytes([0, 0, 0, 8], "ftypheicheic", [0]), "an unknown format"),
      (bytes([0xFF, 0xFF, 0xFF, 0xFF], "ftyp", [0, 0, 0, 0, 0, 0, 0, 0]), "an unknown format"),
    ])
  func others(_ bytes: [UInt8], _ name: String) { #expect(BodyKind(prefix: bytes) == .other(name)) }

  @Test("A signature cut short at any byte is read without a trap")
  func prefixes() {
    let whole = bytes([0, 0, 0, 0x1C], "ftypavif", [0, 0, 0, 0], "avifmif1miaf")
    for length in 0...whole.count { _ = BodyKind(prefix: Array(whole.prefix(length))) }
    #expect(BodyKind(prefix: Array(whole.prefix(15))) == .other("an unknown format"))
    #expect(BodyKind(prefix: Array(whole.prefix(16))) == .picture(.avif))
  }
}
