import CLinux
import Client
import HTTP
import Net

/// One flight to an origin: asks for a picture, looks at what comes, and stores it on the way.
struct PictureFetch: Sendable {
  /// A picture that has arrived.
  struct Arrival: Sendable {
    let record: SourceRecord
    let body: Response.Body
    let isStored: Bool
  }

  let client: HTTPClient
  let store: PictureStore
  let allowsSVG: Bool

  /// Fetches; runs on `loop`.
  func callAsFunction(_ key: SourceKey, at url: OriginURL, on loop: EventLoop) async -> Result<Arrival, PictureFailure>
  {
    do throws(PictureFailure) {
      return .success(try await fetch(key, at: url, on: loop))
    } catch {
      return .failure(error)
    }
  }

  private func fetch(_ key: SourceKey, at url: OriginURL, on loop: EventLoop) async throws(PictureFailure) -> Arrival {
    let response: FetchedResponse
    do throws(FetchError) { response = try await client.get(url, on: loop) } catch { throw PictureFailure(error) }
    let head = response.head
    if let failure = PictureFailure(head, now: clinux_wall_seconds()) {
      await response.discard()
      throw failure
    }
    // Nobody asked for a coding; taking one off comes with the rest of the failure table.
    if let coding = head[.contentEncoding], !coding.span.equalsIgnoringCase("identity") {
      response.close()
      throw .broken("the origin sent a content coding that was not asked for")
    }
    let mayStore = !head.list(.cacheControl, has: "no-store") && !head.list(.cacheControl, has: "private")
    let writer = PictureWriter(for: key, store: store, isStored: mayStore)
    let format = try await receive(response, into: writer)
    if head.status == 206 { try checkWhole(head, count: writer.count) }
    let now = clinux_wall_seconds()
    let finished = await writer.finish { digest, count in
      SourceRecord(
        key: key, url: url, digest: digest, format: format, bytes: count, dimensions: nil, entityTag: head[.etag],
        lastModified: head[.lastModified], cacheControl: head[.cacheControl], fetchedAt: now, checkedAt: now,
        lastStatus: head.status)
    }
    // Only a disk that fails in the middle of a large body, and then does not give back what it took, gets here.
    guard let finished else { throw .overloaded }
    return Arrival(record: finished.record, body: finished.body, isStored: finished.isStored)
  }

  /// Reads the body, and stops as soon as its first bytes say that it is no picture.
  private func receive(
    _ response: FetchedResponse, into writer: PictureWriter
  ) async throws(PictureFailure) -> PictureFormat {
    var format: PictureFormat?
    while let bytes = try await next(of: response) {
      await writer.append(bytes)
      if format == nil, writer.count >= BodyKind.prefixLength { format = try accepted(writer.prefix, response) }
    }
    if let format { return format }
    return try accepted(writer.prefix, response)
  }

  private func next(of response: FetchedResponse) async throws(PictureFailure) -> [UInt8]? {
    do throws(FetchError) { return try await response.next() } catch { throw PictureFailure(error) }
  }

  private func accepted(_ prefix: [UInt8], _ response: FetchedResponse) throws(PictureFailure) -> PictureFormat {
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

  /// A 206 to a request without a range is taken only when the part is the whole.
  private func checkWhole(_ head: ResponseHead, count: Int) throws(PictureFailure) {
    guard head[.contentRange] == Array("bytes 0-\(count - 1)/\(count)".utf8) else {
      throw .broken("the origin sent a part of the picture unasked")
    }
  }
}
