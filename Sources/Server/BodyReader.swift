import HTTP

/// Gathers a request's body out of the bytes of a connection, within a limit.
struct BodyReader {
  private(set) var body: [UInt8] = []
  private(set) var isAtEnd = false
  private let limit: Int
  private var length = 0
  private var chunks: ChunkedDecoder?

  init(framing: RequestHead.Framing, limit: Int) {
    self.limit = limit
    switch framing {
    case .none: isAtEnd = true
    case .length(let length): self.length = length
    case .chunked: chunks = ChunkedDecoder(limit: limit)
    }
  }

  /// Takes the bytes that belong to the body, and returns how many those were.
  mutating func take(_ bytes: [UInt8]) throws(RequestFault) -> Int {
    guard !isAtEnd else { return 0 }
    if var decoder = chunks {
      let taken: Int
      do throws(ChunkFault) {
        taken = try decoder.decode(bytes.span, into: &body)
      } catch .tooLarge {
        throw .bodyTooLarge
      } catch {
        throw .malformed("a chunked body that is not one")
      }
      isAtEnd = decoder.isAtEnd
      chunks = decoder
      return taken
    }
    let taken = min(length - body.count, bytes.count)
    body.append(contentsOf: bytes[..<taken])
    isAtEnd = body.count == length
    return taken
  }
}
