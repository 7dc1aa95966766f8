import Derive
import DeriveWire

extension FuzzTarget {
  /// The decoders, as a worker calls them: the input is a picture.
  static let pictures = FuzzTarget("pictures") { bytes throws(Violation) in
    guard let first = outcome(of: bytes, formats: [.jpeg, .webp]) else { return }
    try expect(first.pictures.allSatisfy { !$0.isEmpty }, "What is derived has bytes")
    try expect(first.width > 0 && first.height > 0, "A picture has an extent")
    let hash = first.look?.thumbHash.count ?? 0
    try expect(5...PictureLook.maximumHash ~= hash, "A placeholder is short")
    let second = outcome(of: bytes, formats: [.jpeg])
    try expectEqual(second?.pictures.first, first.pictures.first, "The same picture gives the same bytes")
    // What we write we can read.
    for picture in first.pictures {
      let again = outcome(of: picture, formats: [.jpeg])
      try expectEqual(again?.width, min(first.width, 320), "A derived picture is at most as wide as asked for")
    }
    if first.hasAlpha {
      try expect(outcome(of: bytes, formats: [.png]) != nil, "A transparent picture is offered as PNG")
    }
  }

  /// What server and worker say to each other; the input is a message.
  static let workerMessages = FuzzTarget("worker-messages") { bytes throws(Violation) in
    if let answer = DeriveAnswer(message: bytes) {
      try expectEqual(answer.message, bytes, "An answer has one spelling")
    }
    if let job = DeriveJob(message: bytes) { try expectEqual(job.message, bytes, "A job has one spelling") }
  }

  /// A budget that lets an input cost some milliseconds.
  private static let deriver = {
    var budget = Budget(bytes: 32 << 20)
    budget.pixels = 1_000_000
    return Deriver(budget: budget)
  }()

  private static func outcome(of bytes: [UInt8], formats: [DerivedFormat]) -> Deriver.Result? {
    bytes.withUnsafeBytes { bytes in
      try? deriver.derive(
        SourceBytes(bytes), targets: formats.compactMap { DeriveTarget(width: 320, format: $0) }, wantsLook: true)
    }
  }
}
