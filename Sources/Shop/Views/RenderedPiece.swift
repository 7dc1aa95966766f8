/// A piece of JSON that was rendered once, with gaps where the public base goes.
///
/// The same bytes serve every host that the shop is asked under: what differs is filled in while a list is put together.
final class RenderedPiece: Sendable {
  /// Stands for the base in a rendering. The writer escapes this byte, so text can never hold it.
  static let gap: UInt8 = 0

  private let bytes: [UInt8]
  /// Where the base goes, in ascending order.
  private let gaps: [Int32]

  /// A piece from a rendering in which each base is a `gap`.
  init(_ rendering: [UInt8]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rendering.count)
    var gaps: [Int32] = []
    var rest = rendering[...]
    while let gap = rest.firstIndex(of: Self.gap) {
      bytes.append(contentsOf: rest[..<gap])
      gaps.append(Int32(clamping: bytes.count))
      rest = rest[(gap + 1)...]
    }
    bytes.append(contentsOf: rest)
    self.bytes = bytes
    self.gaps = gaps
  }

  /// How many bytes `append` appends.
  func count(with base: PublicBase) -> Int { bytes.count + gaps.count * base.bytes.count }

  /// Appends the piece with its gaps filled.
  func append(to answer: inout [UInt8], base: PublicBase) {
    var start = 0
    for gap in gaps {
      let end = Int(gap)
      answer.append(contentsOf: bytes[start..<end])
      answer.append(contentsOf: base.bytes)
      start = end
    }
    answer.append(contentsOf: bytes[start...])
  }
}
