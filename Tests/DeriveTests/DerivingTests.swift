import DeriveWire
import Testing

@testable import Derive

@Suite("Deriving")
struct DerivingTests {
  @Test("gives the same bytes whatever else is asked for", arguments: DerivedFormat.allCases)
  func independence(_ format: DerivedFormat) throws {
    let source = try picture(format, 1_500, 700)
    let targets = [target(320), target(640), target(1_280), target(320, .webp)]
    let together = try deriver.derive(source, targets, wantsLook: true)
    for (target, derived) in zip(targets, together.pictures) {
      let alone = try deriver.derive(source, [target])
      #expect(alone.pictures == [derived])
    }
    #expect(try deriver.derive(source, [], wantsLook: true).look == together.look)
    #expect(try deriver.derive(source, [target(1_280)], wantsLook: true).look == together.look)
  }

  @Test("never enlarges, and keeps the proportions")
  func sizes() throws {
    let result = try deriver.derive(try picture(.jpeg, 700, 333), [target(320), target(640), target(1_280)])
    let sizes = try result.pictures.map { try pixels($0) }.map { [$0.width, $0.height] }
    #expect(sizes == [[320, 152], [640, 304], [700, 333]])
    #expect((result.width, result.height) == (700, 333))
  }

  @Test("keeps no metadata")
  func metadata() throws {
    let bytes = try picture(.jpeg)
    let note = Array("Exif\0\0MM\0*\0\0\0\u{8}\0\0 GPS: at home".utf8)
    let segment = [0xFF, 0xE1, 0, UInt8(note.count + 2)] + note
    let derived = try deriver.derive(bytes[..<2] + segment + bytes[2...], [thumb]).pictures[0]
    #expect(derived.firstRange(of: "GPS".utf8) == nil)
    #expect(derived.firstRange(of: "Exif".utf8) == nil)
  }

  @Test("lays transparent pictures on white for JPEG, without their hidden colours")
  func white() throws {
    // Red, seen to a half on the left and not at all on the right.
    let source = try PNGCodec.encode(raster(640, 64) { x, _ in (255, 0, 0, x < 320 ? 128 : 0) }, hasAlpha: true)
    let derived = try pixels(try deriver.derive(source, [thumb]).pictures[0])
    let (left, right) = (derived.pixels[4 * 20..<4 * 20 + 3], derived.pixels[4 * 300..<4 * 300 + 3])
    #expect(zip(left, [255, 127, 127]).allSatisfy { abs(Int($0) - $1) <= 4 })
    #expect(right.allSatisfy { $0 >= 253 })
  }

  @Test("does not let the colours of transparent pixels bleed")
  func bleeding() throws {
    let source = try PNGCodec.encode(
      raster(640, 64) { x, _ in x < 301 ? (0, 0, 255, 255) : (255, 0, 0, 0) }, hasAlpha: true)
    let derived = try pixels(try deriver.derive(source, [target(320, .png)]).pictures[0])
    for pixel in stride(from: 0, to: derived.pixels.count, by: 4) where derived.pixels[pixel + 3] > 8 {
      #expect(derived.pixels[pixel] <= 2)
    }
  }

  @Test("names the colour and the placeholder of a picture")
  func look() throws {
    let source = try PNGCodec.encode(raster(300, 200) { _, _ in (200, 100, 50, 255) }, hasAlpha: true)
    let look = try #require(try deriver.derive(source, [], wantsLook: true).look)
    #expect(look.color == 0xC86432)
    // The mean in the hash: lightness (200 + 100 + 50) / 3 of 255 in 63 steps, landscape, opaque.
    #expect(Int(look.thumbHash[0] & 63) == 29)
    #expect(look.thumbHash[4] & 0x80 != 0)
    #expect(look.thumbHash[2] & 0x80 == 0)
  }

  @Test("hashes a picture as the algorithm's own code does")
  func thumbHash() throws {
    // Half black, half white, side by side: one wave across carries nearly everything.
    let halves = raster(100, 50) { x, _ in x < 50 ? (0, 0, 0, 255) : (255, 255, 255, 255) }
    let hash = ThumbHash.hash(of: halves)
    let head = hash[0..<3].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(head & 63 == 32)
    // 2/π · 255/255 of the first wave, in 31 steps of its half.
    #expect(head >> 18 & 31 == 10)
    // 7 across and 4 down of lightness (18 waves), and 5 of each colour: 28 in half bytes, behind 5 bytes.
    #expect(hash.count == 5 + (18 + 5 + 5 + 1) / 2)
    #expect(hash[5] & 15 == 0)
  }
}

@Suite("Orientation")
struct OrientationTests {
  @Test("is read out of Exif data of either byte order, and nothing else is", arguments: 1...8)
  func reading(_ value: Int) {
    let big: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value), 0, 0]
    let little: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(value), 0, 0, 0]
    for bytes in [big, little] {
      #expect(bytes.withUnsafeBytes { Orientation(exif: SourceBytes($0)) }.rawValue == value)
      for count in 0..<20 where count < bytes.count - 2 {
        #expect(bytes[..<count].withUnsafeBytes { Orientation(exif: SourceBytes($0)) } == .upright)
      }
    }
  }

  @Test("that says nothing that makes sense is upright", arguments: [0, 9, 255] as [UInt8])
  func nonsense(_ value: UInt8) {
    let bytes: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0]
    #expect(bytes.withUnsafeBytes { Orientation(exif: SourceBytes($0)) } == .upright)
  }
}
