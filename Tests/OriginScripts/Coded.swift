import CZlib

/// Bytes in a content coding, made by zlib itself.
public enum Coded {
  /// The gzip format.
  public static func gzip(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, windowBits: 15 + 16) }
  /// The zlib format, which HTTP calls deflate.
  public static func zlib(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, windowBits: 15) }
  /// The bare deflate format, which some servers call deflate.
  public static func raw(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, windowBits: -15) }

  private static func deflated(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    guard czlib_deflate_init2(&stream, 9, windowBits, 8) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(capacity)
        if deflate(&stream, Z_FINISH) == Z_STREAM_END { count = capacity - Int(stream.avail_out) }
      }
    }
  }
}
