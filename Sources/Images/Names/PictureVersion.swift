import DeriveWire

/// Which bytes a name stands for: how often the origin's bytes have changed, and which of our pipelines made them.
public struct PictureVersion: Hashable, Sendable {
  /// 1 before the first fetch, one more each time the origin's bytes turned out different. Kept in the shop's database.
  public let revision: UInt32

  /// The letter of the codecs, sizes and qualities, `a` to `z`; changes when those do.
  public let pipeline: UInt8

  /// The pipeline this build derives with.
  public static let currentPipeline = Pipeline.letter

  /// A version of the current pipeline.
  ///
  /// - Parameter revision: 1 or more; 0 is taken as 1.
  public init(revision: UInt32) {
    self.revision = max(1, revision)
    pipeline = Self.currentPipeline
  }

  /// Reads `{revision}{letter}`: digits without a leading zero, then one of `a` to `z`; nil for anything else.
  init?(_ bytes: some BidirectionalCollection<UInt8>) {
    guard let letter = bytes.last, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { return nil }
    let digits = bytes.dropLast()
    guard let first = digits.first, first != UInt8(ascii: "0") else { return nil }
    var revision: UInt32 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tenfold, overflow) = revision.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(UInt32(digit - UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      revision = sum
    }
    self.revision = revision
    pipeline = letter
  }
}
