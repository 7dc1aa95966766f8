import Glibc
import Testing

@Suite("Hostile pictures, to the running shop")
struct HostilePictureTests {
  @Test("A hundred in a row leave its memory and descriptors as they were, and the next good one is derived")
  func hundred() throws {
    let count = 140
    var shop = SampleShop()
    for number in 0..<count { shop.products.append(Self.product(number)) }
    try withShopAndOrigin(shop, arguments: ["--log", "off"]) { shop, origin in
      for number in 0..<count { origin["/images/X\(number).jpg"] = Self.answer(number) }
      // Before one of them gives way to the placeholder.
      let paths = try (0..<count).map { try shop.picture(of: "X\($0)", "thumb") }
      let good = try shop.picture(of: "HBDEF", "thumb")
      func ask(_ numbers: Range<Int>) throws {
        for number in numbers {
          let reply = try shop.get(paths[number])
          #expect((400..<600).contains(reply.status), "\(Self.kinds[number % Self.kinds.count]): \(reply.status)")
        }
      }
      try ask(0..<40)
      let memory = try residentKilobytes(shop.process.identifier)
      let descriptors = try descriptorCount(shop)
      try ask(40..<count)
      let after = try residentKilobytes(shop.process.identifier)
      #expect(after < memory + 4_096, "\(memory) kB before a hundred, \(after) kB after")
      #expect(try descriptorCount(shop) < descriptors + 8)
      #expect(try shop.get(good).status == 200)
    }
  }

  private static func product(_ number: Int) -> Members {
    Members([
      ("id", quoted("X\(number)")), ("section", quoted("side")), ("title", quoted("콩자반 \(number)")),
      ("description", quoted("")), ("price", "1000"), ("image", quoted("images/X\(number).jpg")),
    ])
  }

  private static let kinds = [
    "cut short", "said to be 65,500 pixels a side", "a PNG said to be 2 billion pixels wide", "noise after the mark",
    "a WebP with wrong bytes", "a page", "nothing", "an SVG with a script", "a frame without a scan",
    "a PNG whose check fails",
  ]

  /// Each is another one, also of its kind.
  private static func answer(_ number: Int) -> ScriptedOrigin.Answer {
    let jpeg = Picture.jpeg("X\(number)")
    let name = Array("\(number)".utf8)
    switch number % kinds.count {
    case 0: return .picture(Array(jpeg.dropLast(3 + number % 40)))
    case 1: return .picture(bomb(jpeg))
    case 2: return .picture(replacing(Picture.png, 16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0x40, UInt8(number)]))
    case 3: return .picture(Array(jpeg.prefix(4)) + (0..<2_000).map { UInt8(truncatingIfNeeded: ($0 + number) &* 167) })
    case 4: return .picture(replacing(Picture.webp, 22..<26, with: [0xFF, UInt8(number), 0xFF, 0xFF]) + name)
    case 5: return .picture(Array("<!doctype html><title>\(number)</title>".utf8))
    case 6: return .picture([])
    case 7: return .picture(Array("<svg xmlns='http://www.w3.org/2000/svg'><script>\(number)</script></svg>".utf8))
    case 8: return .picture(Array(jpeg.prefix { $0 != 0xC4 }) + [0xD9])
    default: return .picture(replacing(Picture.png, 30..<32, with: [UInt8(number), 0x55]))
    }
  }

  /// A frame header with other sides.
  private static func bomb(_ jpeg: [UInt8]) -> [UInt8] {
    guard let frame = jpeg.indices.first(where: { jpeg[$0] == 0xFF && jpeg.dropFirst($0 + 1).first == 0xC0 }) else {
      return []
    }
    return replacing(jpeg, (frame + 5)..<(frame + 9), with: [0xFF, 0xDC, 0xFF, 0xDC])
  }

  private static func replacing(_ bytes: [UInt8], _ place: Range<Int>, with new: [UInt8]) -> [UInt8] {
    Array(bytes[..<place.lowerBound]) + new + Array(bytes[place.upperBound...])
  }
}

private func descriptorCount(_ shop: RunningShop) throws -> Int {
  try Folder(path: "/proc/\(shop.process.identifier)").names(in: "fd").count
}
