import HTTP

extension FuzzTarget {
  /// Chunked bodies, of requests and of answers.
  static let chunks = FuzzTarget("chunks") { bytes throws(Violation) in
    let ways = Pieces.ways(bytes.count, seededBy: bytes)
    for limit in [Int.max, 64, 0] {
      let whole = Decoding(bytes, pieces: ways[0], limit: limit)
      try whole.check(bytes, limit: limit)
      for way in ways.dropFirst() {
        try expectEqual(
          whole, Decoding(bytes, pieces: way, limit: limit), "A chunked body is the same however it is cut")
      }
    }
    // Whatever the bytes are: as chunks, with and without extensions, they come back.
    for way in ways {
      let text = encoded(bytes, chunks: way)
      let decoding = Decoding(text + [88], pieces: [0..<text.count + 1], limit: bytes.count)
      try expect(decoding.fault == nil && decoding.isAtEnd, "Chunks within the limit are taken")
      try expectEqual(decoding.output, bytes, "Chunks hold what was put in")
      try expectEqual(decoding.taken, text.count, "What follows the last chunk is left alone")
    }
  }

  private static func encoded(_ bytes: [UInt8], chunks: [Range<Int>]) -> [UInt8] {
    var text: [UInt8] = []
    for (index, chunk) in chunks.enumerated() where !chunk.isEmpty {
      // A few extensions only: there is a limit to them.
      let note = index < 100 && index % 2 == 1 ? " ;a=\"\\\";\"; b" : ""
      text += Array("\(String(chunk.count, radix: 16, uppercase: index % 3 == 0))\(note)\r\n".utf8)
      text += Array(bytes[chunk]) + [13, 10]
    }
    return text + Array("000;z\r\nDigest: x\r\n\r\n".utf8)
  }
}

/// What comes out of a decoder, and how it ended.
private struct Decoding: Equatable {
  private(set) var output: [UInt8] = []
  private(set) var taken = 0
  private(set) var isAtEnd = false
  private(set) var fault: ChunkFault?

  init(_ bytes: [UInt8], pieces: [Range<Int>], limit: Int) {
    var decoder = ChunkedDecoder(limit: limit)
    for piece in pieces {
      do throws(ChunkFault) {
        taken += try decoder.decode(bytes[piece].span, into: &output)
      } catch {
        fault = error
        // How many bytes of the last piece were good, nobody is told.
        taken = 0
        return
      }
      isAtEnd = decoder.isAtEnd
      if isAtEnd { return }
    }
  }

  func check(_ bytes: [UInt8], limit: Int) throws(Violation) {
    try expect(output.count <= bytes.count && output.count <= limit, "No more comes out than goes in, or is allowed")
    if fault == nil, !isAtEnd { try expectEqual(taken, bytes.count, "All is taken until the end") }
    try expect(fault != .tooLong || bytes.count > ChunkedDecoder.overheadLimit, "Short extensions are not too long")
    if isAtEnd { try expect(bytes[..<taken].suffix(2) == [13, 10], "A body ends with a line") }
  }
}
