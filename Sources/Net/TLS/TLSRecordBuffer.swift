/// Memory for one TLS record, which the streams of one loop take turns with. Used on that loop only, and never across a
/// suspension: what did not get through is joined again for the next attempt.
final class TLSRecordBuffer {
  private var memory: UnsafeMutableRawBufferPointer?

  deinit {
    memory?.deallocate()
  }

  /// Lends `write` the bytes of `head` and as many of `body` as one record has room for.
  func join<Result>(
    _ head: Span<UInt8>, _ body: Span<UInt8>, _ write: (Span<UInt8>) throws(NetError) -> Result
  ) throws(NetError) -> Result {
    let memory = self.memory ?? .allocate(byteCount: TLSSession.recordSize, alignment: 16)
    self.memory = memory
    let headCount = min(head.count, memory.count)
    let bodyCount = min(body.count, memory.count - headCount)
    head.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<headCount])) }
    body.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: memory[headCount...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<bodyCount]))
    }
    let joined = UnsafeRawBufferPointer(rebasing: memory[..<(headCount + bodyCount)])
    return try write(joined.bindMemory(to: UInt8.self).span)
  }
}
