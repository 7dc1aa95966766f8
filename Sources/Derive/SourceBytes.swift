/// A picture's bytes as they lie in memory, read with every offset checked.
///
/// Whoever makes one keeps the memory in place and unchanged for as long as it is used: a worker maps a sealed file for
/// the length of a job.
public struct SourceBytes {
  /// All of it, for a library that does its own checking.
  let raw: UnsafeRawBufferPointer

  /// The bytes of a buffer that outlives this value.
  public init(_ raw: UnsafeRawBufferPointer) { self.raw = raw }

  var count: Int { raw.count }

  /// What is written behind the first four bytes: for a test's worker, which finds its orders there.
  package var text: String { String(decoding: raw.dropFirst(4).prefix(64), as: UTF8.self) }

  /// Where they begin, for C; nil when there are none.
  var start: UnsafePointer<UInt8>? { raw.baseAddress?.assumingMemoryBound(to: UInt8.self) }

  func byte(_ offset: Int) -> UInt8? {
    offset >= 0 && offset < raw.count ? raw[offset] : nil
  }

  /// A part; nil when it does not lie inside.
  func part(_ offset: Int, _ count: Int) -> SourceBytes? {
    guard offset >= 0, count >= 0, offset <= raw.count, count <= raw.count - offset else { return nil }
    return SourceBytes(UnsafeRawBufferPointer(rebasing: raw[offset..<(offset + count)]))
  }

  func hasPrefix(_ text: StaticString, at offset: Int = 0) -> Bool {
    let count = text.utf8CodeUnitCount
    guard let part = part(offset, count) else { return false }
    return (0..<count).allSatisfy { part.raw[$0] == text.utf8Start[$0] }
  }

  /// A number of so many bytes (up to 4), the most significant first.
  func bigEndian(_ offset: Int, bytes count: Int) -> Int? {
    part(offset, count).map { $0.raw.reduce(0) { $0 << 8 | Int($1) } }
  }

  /// A number of so many bytes (up to 4), the least significant first.
  func littleEndian(_ offset: Int, bytes count: Int) -> Int? {
    part(offset, count).map { $0.raw.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }
}
