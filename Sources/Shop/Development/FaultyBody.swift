import HTTP
import Net

/// A body that ends before its length: the client is promised more than it gets.
struct TruncatedBody: BodySource {
  let count: Int
  private let rest: [UInt8]

  init(_ bytes: [UInt8], part: Double) {
    count = bytes.count
    rest = Array(bytes.prefix(min(Int(Double(bytes.count) * part), max(0, bytes.count - 1))))
  }

  /// A small piece at a time, so that what there is arrives before the end does.
  var pieceLength: Int { 4_096 }

  func bytes(_ range: Range<Int>) async -> [UInt8] { Array(rest[range.clamped(to: 0..<rest.count)]) }
}

/// A body that comes in drops.
struct DrippingBody: BodySource {
  private let bytes: [UInt8]
  private let rate: Int
  private let loop: EventLoop

  /// - Parameter rate: bytes a second.
  init(_ bytes: [UInt8], rate: Int, on loop: EventLoop) {
    self.bytes = bytes
    self.rate = rate
    self.loop = loop
  }

  var count: Int { bytes.count }
  /// Ten drops a second, or one byte in as long as that takes.
  var pieceLength: Int { max(1, rate / 10) }

  func bytes(_ range: Range<Int>) async -> [UInt8] {
    let piece = bytes[range.clamped(to: 0..<bytes.count)]
    await loop.sleep(milliseconds: Int64(piece.count) * 1_000 / Int64(rate))
    return Array(piece)
  }
}
