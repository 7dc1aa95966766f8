/// Why a chunked body is refused.
public enum ChunkFault: Error, Equatable, Sendable {
  /// Not the grammar of RFC 9112, section 7.1.
  case malformed
  /// Extensions or trailers beyond what is reasonable.
  case tooLong
}

/// Takes the chunked coding off a body, as its bytes come (RFC 9112, section 7.1). Extensions and trailers are passed
/// over, within bounds; every line ends with CRLF.
///
///     var decoder = ChunkedDecoder()
///     let taken = try decoder.decode(bytes, into: &body)   // bytes behind `taken` belong to the next message
public struct ChunkedDecoder: Sendable {
  private enum Place {
    case size(digits: Int)
    case `extension`
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

  /// Bytes of extensions and trailers that one body may have.
  public static let overheadLimit = 16 * 1024

  /// A decoder at the start of a body.
  public init() {}

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
    case .extension:
      try countOverhead()
      if byte == Octet.carriageReturn { place = .sizeLineFeed } else if !byte.isFieldCharacter { throw .malformed }
    case .sizeLineFeed:
      guard byte == Octet.lineFeed else { throw .malformed }
      place = remaining == 0 ? .trailerStart : .data
    case .dataReturn:
      guard byte == Octet.carriageReturn else { throw .malformed }
      place = .dataLineFeed
    case .dataLineFeed:
      guard byte == Octet.lineFeed else { throw .malformed }
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
      // Fifteen digits are beyond any body, and far from overflowing.
      guard digits < 15 else { throw .malformed }
      remaining = (digits == 0 ? 0 : remaining) << 4 | Int(value)
      place = .size(digits: digits + 1)
      return
    }
    guard digits > 0 else { throw .malformed }
    switch byte {
    case Octet.carriageReturn: place = .sizeLineFeed
    case Octet.semicolon: place = .extension
    default: throw .malformed
    }
  }

  private mutating func countOverhead() throws(ChunkFault) {
    overhead += 1
    guard overhead <= Self.overheadLimit else { throw .tooLong }
  }
}
