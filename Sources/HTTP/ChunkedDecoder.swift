/// Why a chunked body is refused.
public enum ChunkFault: Error, Equatable, Sendable {
  /// Not the grammar of RFC 9112, section 7.1.
  case malformed
  /// Extensions or trailers beyond what is reasonable.
  case tooLong
  /// More bytes are announced than the limit has left.
  case tooLarge
}

/// Takes the chunked coding off a body, as its bytes come (RFC 9112, section 7.1). Extensions and trailers are checked
/// against the grammar and passed over, within bounds; every line ends with CRLF.
///
///     var decoder = ChunkedDecoder()
///     let taken = try decoder.decode(bytes, into: &body)   // bytes behind `taken` belong to the next message
public struct ChunkedDecoder: Sendable {
  private enum Place {
    case size(digits: Int)
    case `extension`(ChunkExtension)
    case sizeLineFeed
    case data
    case dataReturn
    case dataLineFeed
    case trailerStart
    case trailerName
    case trailerValue
    case trailerLineFeed
    case endLineFeed
    case end
  }

  private var place = Place.size(digits: 0)
  private var remaining = 0
  private var overhead = 0
  /// Bytes of data that may still be announced.
  private var allowance: Int

  /// Bytes of extensions and trailers that one body may have.
  public static let overheadLimit = 16 * 1024

  /// A decoder at the start of a body that may have `limit` bytes.
  public init(limit: Int = .max) {
    allowance = limit
  }

  /// Whether the last chunk and the trailers have been taken.
  public var isAtEnd: Bool { if case .end = place { true } else { false } }

  /// Decodes what is there, appends the data to `output`, and returns how many bytes of `input` it took; fewer than all
  /// only at the end of the body.
  public mutating func decode(_ input: Span<UInt8>, into output: inout [UInt8]) throws(ChunkFault) -> Int {
    var index = 0
    while index < input.count {
      switch place {
      case .end:
        return index
      case .data:
        let count = min(remaining, input.count - index)
        input.extracting(index..<index + count).withUnsafeBytes { output.append(contentsOf: $0) }
        remaining -= count
        index += count
        if remaining == 0 { place = .dataReturn }
      default:
        try take(input[index])
        index += 1
      }
    }
    return index
  }

  private mutating func take(_ byte: UInt8) throws(ChunkFault) {
    switch place {
    case .size(let digits):
      try takeSize(byte, digits: digits)
    case .extension(var grammar):
      try countOverhead()
      switch grammar.take(byte) {
      case .goesOn: place = .extension(grammar)
      case .ends: place = .sizeLineFeed
      case .malformed: throw .malformed
      }
    case .sizeLineFeed:
      guard byte == Octet.lineFeed else { throw .malformed }
      guard remaining <= allowance else { throw .tooLarge }
      allowance -= remaining
      place = remaining == 0 ? .trailerStart : .data
    case .dataReturn:
      guard byte == Octet.carriageReturn else { throw .malformed }
      place = .dataLineFeed
    case .dataLineFeed:
      guard byte == Octet.lineFeed else { throw .malformed }
      remaining = 0
      place = .size(digits: 0)
    case .trailerStart:
      try countOverhead()
      if byte == Octet.carriageReturn {
        place = .endLineFeed
      } else {
        guard byte.isTokenCharacter else { throw .malformed }
        place = .trailerName
      }
    case .trailerName:
      try countOverhead()
      if byte == Octet.colon { place = .trailerValue } else if !byte.isTokenCharacter { throw .malformed }
    case .trailerValue:
      try countOverhead()
      if byte == Octet.carriageReturn { place = .trailerLineFeed } else if !byte.isFieldCharacter { throw .malformed }
    case .trailerLineFeed:
      guard byte == Octet.lineFeed else { throw .malformed }
      place = .trailerStart
    case .endLineFeed:
      guard byte == Octet.lineFeed else { throw .malformed }
      place = .end
    case .data, .end:
      break
    }
  }

  private mutating func takeSize(_ byte: UInt8, digits: Int) throws(ChunkFault) {
    if let value = byte.hexValue {
      // Sixteen digits hold every length there is; one that does not fit is no length.
      guard digits < 16, remaining <= Int.max >> 4 else { throw .malformed }
      remaining = remaining << 4 | Int(value)
      place = .size(digits: digits + 1)
      return
    }
    guard digits > 0 else { throw .malformed }
    if byte == Octet.carriageReturn {
      place = .sizeLineFeed
    } else {
      try countOverhead()
      var grammar = ChunkExtension()
      guard case .goesOn = grammar.take(byte) else { throw .malformed }
      place = .extension(grammar)
    }
  }

  private mutating func countOverhead() throws(ChunkFault) {
    overhead += 1
    guard overhead <= Self.overheadLimit else { throw .tooLong }
  }
}
