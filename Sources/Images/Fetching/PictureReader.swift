import Client
import HTTP

/// Reads an answer's body: takes a content coding off, and stops as soon as the first bytes say that it is no picture.
struct PictureReader {
  let response: FetchedResponse
  /// Bytes that may come out of a content coding.
  let limit: Int
  let allowsSVG: Bool
  /// Bytes of the body as it came.
  private(set) var received = 0

  init(response: FetchedResponse, limit: Int, allowsSVG: Bool) {
    self.response = response
    self.limit = limit
    self.allowsSVG = allowsSVG
  }

  /// Reads all of it.
  ///
  /// - Returns: what the bytes are, whatever the origin called them.
  mutating func read(into writer: PictureWriter) async throws(PictureFailure) -> PictureFormat {
    let decoder = try decoder()
    var format: PictureFormat?
    while let bytes = try await next() {
      received += bytes.count
      await writer.append(try decoded(bytes, by: decoder))
      if format == nil, writer.count >= BodyKind.prefixLength { format = try accepted(writer.prefix) }
    }
    if let decoder, !decoder.isAtEnd { throw .broken("a coded body that ends too early") }
    if let format { return format }
    return try accepted(writer.prefix)
  }

  /// What takes the answer's coding off; nil when it has none.
  private func decoder() throws(PictureFailure) -> ContentDecoder? {
    guard let name = response.head.joined(.contentEncoding), !name.span.equalsIgnoringCase("identity"), !name.isEmpty
    else { return nil }
    guard let coding = ContentDecoder.Coding(name: name) else {
      response.close()
      throw .unusable("the origin sent a content coding that was not asked for")
    }
    return ContentDecoder(coding, limit: limit)
  }

  private func decoded(_ bytes: [UInt8], by decoder: ContentDecoder?) throws(PictureFailure) -> [UInt8] {
    guard let decoder else { return bytes }
    do throws(ContentDecoder.Fault) {
      return try decoder.decode(bytes)
    } catch {
      response.close()
      switch error {
      case .malformed: throw .broken("a coded body that cannot be decoded")
      case .tooLarge(let limit): throw .tooLarge(limit: limit)
      case .noMemory: throw .overloaded
      }
    }
  }

  private func next() async throws(PictureFailure) -> [UInt8]? {
    do throws(FetchError) { return try await response.next() } catch { throw PictureFailure(error) }
  }

  private func accepted(_ prefix: [UInt8]) throws(PictureFailure) -> PictureFormat {
    switch BodyKind(prefix: prefix) {
    case .picture(let format) where format != .svg || allowsSVG:
      return format
    case .picture(let format):
      response.close()
      throw .unsupported(format)
    case .other(let kind):
      response.close()
      throw .notAPicture(kind)
    }
  }
}
