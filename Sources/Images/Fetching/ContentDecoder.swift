import CZlib

/// Takes a content coding off a body as its bytes come (RFC 9110, section 8.4.1). Nobody asks origins for one, and some
/// apply it all the same.
///
/// What comes out is counted against a limit: a kilobyte of gzip can hold a megabyte of zeros.
///
/// Belongs to one task.
final class ContentDecoder {
  /// The codings that are taken off.
  enum Coding: Sendable {
    case gzip
    /// The zlib format; some origins send the bare deflate format by this name, which is told from its first byte.
    case deflate

    /// Reads a coding's name; nil for those that are not known.
    init?(name: [UInt8]) {
      switch name.map({ (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }) {
      case Array("gzip".utf8), Array("x-gzip".utf8): self = .gzip
      case Array("deflate".utf8): self = .deflate
      default: return nil
      }
    }
  }

  /// Why a body cannot be decoded.
  enum Fault: Error, Equatable {
    /// Not the coding that it was said to be, or cut off.
    case malformed
    /// More than the limit comes out of it.
    case tooLarge(limit: Int)
    /// zlib has no memory.
    case noMemory
  }

  private let coding: Coding
  private let limit: Int
  private let stream: UnsafeMutablePointer<z_stream>
  private var isStarted = false
  private(set) var isAtEnd = false
  private var count = 0

  private static let pieceSize = 65_536

  /// - Parameter limit: bytes that may come out.
  init(_ coding: Coding, limit: Int) {
    self.coding = coding
    self.limit = limit
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
  }

  deinit {
    if isStarted { inflateEnd(stream) }
    stream.deallocate()
  }

  /// Decodes the bytes that follow.
  func decode(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
    guard let first = bytes.first else { return [] }
    if !isStarted { try start(first) }
    // Behind the end nothing may stand: whoever cuts there and whoever does not would see two pictures.
    guard !isAtEnd else { throw .malformed }
    var output: [UInt8] = []
    var taken = 0
    while true {
      let step = inflate(bytes, from: taken)
      output += step.bytes
      taken += step.taken
      count += step.bytes.count
      guard count <= limit else { throw .tooLarge(limit: limit) }
      switch step.result {
      case Z_STREAM_END:
        isAtEnd = true
        guard taken == bytes.count else { throw .malformed }
        return output
      // What fills a piece to its end may go on in the next.
      case Z_OK where taken < bytes.count || step.bytes.count == Self.pieceSize: continue
      // Z_BUF_ERROR: it can do nothing without more.
      case Z_OK, Z_BUF_ERROR: return output
      default: throw .malformed
      }
    }
  }

  private func start(_ first: UInt8) throws(Fault) {
    // The low four bits of zlib's first byte say "deflate"; in the bare format they would be a block of an odd kind.
    let windowBits: Int32 =
      switch coding {
      case .gzip: 15 + 16
      case .deflate: first & 0x0F == 8 ? 15 : -15
      }
    guard czlib_inflate_init2(stream, windowBits) == Z_OK else { throw .noMemory }
    isStarted = true
  }

  /// One call of zlib, with as much output as a piece holds.
  private func inflate(_ bytes: [UInt8], from start: Int) -> (result: Int32, bytes: [UInt8], taken: Int) {
    var result = Z_OK
    var taken = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, filled in
      bytes.withUnsafeBufferPointer { input in
        let rest = input[min(start, input.count)...]
        stream.pointee.next_in =
          rest.isEmpty ? nil : UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + start })
        stream.pointee.avail_in = UInt32(clamping: rest.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        result = CZlib.inflate(stream, Z_NO_FLUSH)
        taken = rest.count - Int(stream.pointee.avail_in)
        filled = output.count - Int(stream.pointee.avail_out)
      }
    }
    return (result, piece, taken)
  }
}
