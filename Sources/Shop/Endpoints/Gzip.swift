import CZlib

/// The gzip coding (RFC 1952), the same bytes for the same input each time.
enum Gzip {
  /// Compresses bytes; nil when zlib has no memory for it.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 more to ask for the gzip wrapper, whose time stamp stays zero.
    guard czlib_deflate_init2(&stream, 6, 15 + 16, 8) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
    var isComplete = false
    let compressed = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: capacity)
        isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = isComplete ? capacity - Int(stream.avail_out) : 0
      }
    }
    return isComplete ? compressed : nil
  }

  /// What was compressed, for bytes of this shop's own; nil for any others, and past 64 MiB.
  static func expand(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_inflate_init2(&stream, 15 + 16) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    return bytes.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(clamping: input.count)
      while output.count < 64 << 20 {
        let result = piece.withUnsafeMutableBufferPointer { room in
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(clamping: room.count)
          return inflate(&stream, Z_NO_FLUSH)
        }
        output += piece.prefix(piece.count - Int(stream.avail_out))
        if result == Z_STREAM_END { return output }
        guard result == Z_OK else { return nil }
      }
      return nil
    }
  }
}
