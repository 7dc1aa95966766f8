import Testing

@testable import Images

@Suite struct PictureNameTests {
  @Test("A picture's id is the first 60 bits of its reference's SHA-256, in twelve small Crockford digits")
  func idOfReference() throws {
    // SHA-256("abc") = ba7816bf 8f01cfea 41…; its first 60 bits in groups of five.
    let id = PictureID(reference: Array("abc".utf8))
    #expect(id.description == "q9w1dfwf077y")
    #expect(PictureID(digits: id.digits) == id)
  }

  @Test("Composed and decomposed Hangul are two references, so they have two ids")
  func idsAreOfBytes() {
    let composed = "images/갈비.jpg"
    let decomposed = "images/\u{1100}\u{1161}\u{11AF}\u{1107}\u{1175}.jpg"
    #expect(composed == decomposed)
    #expect(PictureID(reference: Array(composed.utf8)) != PictureID(reference: Array(decomposed.utf8)))
  }

  @Test(
    "A well-formed name reads, and writes the same bytes",
    arguments: [
      "7k3v9t0q2m4x-1a-thumb.jpg", "7k3v9t0q2m4x-12b-medium.webp", "000000000000-4294967295z-large.png",
      "zzzzzzzzzzzz-1a-original.gif", "zzzzzzzzzzzz-1a-original.heic", "zzzzzzzzzzzz-3a-original.avif",
      "zzzzzzzzzzzz-3a-original.svg",
    ])
  func roundTrip(_ text: String) throws {
    let name = try #require(PictureName(Array(text.utf8)))
    #expect(name.bytes == Array(text.utf8))
    #expect(PictureName(id: name.id, version: name.version, size: name.size, format: name.format) == name)
  }

  @Test(
    "Anything else is no name",
    arguments: [
      "", ".", "-", "7k3v9t0q2m4x", "7k3v9t0q2m4x-1a-thumb", "7k3v9t0q2m4x-1a-thumb.", "7k3v9t0q2m4x-1a.jpg",
      "7K3v9t0q2m4x-1a-thumb.jpg", "7k3v9t0q2m4-1a-thumb.jpg", "7k3v9t0q2m4xx-1a-thumb.jpg",
      "ik3v9t0q2m4x-1a-thumb.jpg", "lk3v9t0q2m4x-1a-thumb.jpg", "ok3v9t0q2m4x-1a-thumb.jpg",
      "uk3v9t0q2m4x-1a-thumb.jpg", "7k3v9t0q2m4x-0a-thumb.jpg", "7k3v9t0q2m4x-01a-thumb.jpg",
      "7k3v9t0q2m4x-a-thumb.jpg", "7k3v9t0q2m4x-1-thumb.jpg", "7k3v9t0q2m4x-1A-thumb.jpg",
      "7k3v9t0q2m4x-+1a-thumb.jpg", "7k3v9t0q2m4x-4294967296a-thumb.jpg",
      "7k3v9t0q2m4x-99999999999999999999a-thumb.jpg", "7k3v9t0q2m4x-1a-Thumb.jpg", "7k3v9t0q2m4x-1a-320.jpg",
      "7k3v9t0q2m4x-1a-thumb.jpeg", "7k3v9t0q2m4x-1a-thumb.JPG", "7k3v9t0q2m4x-1a-thumb.gif",
      "7k3v9t0q2m4x-1a-large.svg", "7k3v9t0q2m4x-1a-original.bmp", "7k3v9t0q2m4x-1a-thumb-x.jpg",
      "7k3v9t0q2m4x-1a-thumb.jpg.jpg", " 7k3v9t0q2m4x-1a-thumb.jpg", "7k3v9t0q2m4x-1a-thumb.jpg\n",
      "7k3v9t0q2m4x-１a-thumb.jpg", "7k3v9t0q2m4x--thumb.jpg", "../../../../etc-1a-thumb.jpg",
    ])
  func refused(_ text: String) { #expect(PictureName(Array(text.utf8)) == nil) }

  @Test("A derived size is made as jpg, webp or png only", arguments: PictureFormat.allCases)
  func derivedFormats(_ format: PictureFormat) {
    let id = PictureID(reference: [])
    let thumb = PictureName(id: id, version: PictureVersion(revision: 1), size: .thumb, format: format)
    #expect((thumb != nil) == [.jpeg, .webp, .png].contains(format))
    #expect(PictureName(id: id, version: PictureVersion(revision: 1), size: .original, format: format) != nil)
  }

  @Test(
    "Until a picture has been seen, its reference's extension is believed",
    arguments: [
      ("images/galbi.jpg", PictureFormat.jpeg), ("images/galbi.JPEG", .jpeg), ("a/b.PNG", .png),
      ("b.webp?v=2.gif", .webp),
      ("https://x.example/a.gif#f.png", .gif), ("a.heif", .heic), ("a.svg", .svg), ("a.avif", .avif),
      ("picture", .jpeg),
      ("folder.png/picture", .jpeg), ("", .jpeg), ("a.", .jpeg),
    ])
  func guess(_ reference: String, _ format: PictureFormat) {
    #expect(PictureFormat(guessedFrom: Array(reference.utf8)) == format)
  }
}
