import Client
import HTTP
import Net

/// One flight to an origin: asks for a picture, or whether the one at hand still holds, looks at what comes, and stores it
/// on the way.
struct PictureFetch: Sendable {
  /// A picture that has arrived, or was confirmed.
  struct Arrival: Sendable {
    let record: SourceRecord
    let body: Response.Body
    let isStored: Bool
    /// Whether the origin said that the stored one still holds.
    var isConfirmed = false
  }

  let client: HTTPClient
  let store: PictureStore
  let policy: FreshnessPolicy
  /// Bytes that a body may have, with its content coding taken off.
  let bodyLimit: Int
  let allowsSVG: Bool
  /// Seconds since 1970.
  let now: @Sendable () -> Int64

  /// Fetches; runs on `loop`.
  ///
  /// - Parameter stored: what is stored of the source. The origin is asked whether it still holds, and whatever comes of
  ///   that, it is there afterwards, or something newer in its place.
  func callAsFunction(
    _ key: SourceKey, at url: OriginURL, stored: PictureStore.Found? = nil, on loop: EventLoop
  ) async -> Result<Arrival, PictureFailure> {
    do throws(PictureFailure) {
      return .success(try await fetch(key, at: url, stored, on: loop))
    } catch {
      return .failure(error)
    }
  }

  private func fetch(
    _ key: SourceKey, at url: OriginURL, _ stored: PictureStore.Found?, on loop: EventLoop
  ) async throws(PictureFailure) -> Arrival {
    let (response, exchange) = try await ask(url, unless: stored?.record.validators ?? .none, on: loop)
    guard response.head.status == 304 else {
      return try await arrival(of: key, at: url, response, exchange, over: stored)
    }
    await response.discard()
    if let stored, let record = stored.record.confirmed(by: response.head, in: exchange, policy: policy) {
      await store.note(record)
      return Arrival(record: record, body: stored.body, isStored: true, isConfirmed: true)
    }
    // It confirms what is not at hand, or was not even asked to: once more, without a condition.
    let (second, secondExchange) = try await ask(url, unless: .none, on: loop)
    guard second.head.status != 304 else {
      second.close()
      throw .broken("the origin answered with status 304 to a request without a condition")
    }
    return try await arrival(of: key, at: url, second, secondExchange, over: stored)
  }

  private func ask(
    _ url: OriginURL, unless validators: Validators, on loop: EventLoop
  ) async throws(PictureFailure) -> (FetchedResponse, Freshness.Exchange) {
    let requestedAt = now()
    do throws(FetchError) {
      let response = try await client.get(url, unless: validators, on: loop)
      return (response, Freshness.Exchange(requestedAt: requestedAt, receivedAt: now()))
    } catch {
      throw PictureFailure(error)
    }
  }

  /// Takes in an answer that is to be a picture.
  private func arrival(
    of key: SourceKey, at url: OriginURL, _ response: FetchedResponse, _ exchange: Freshness.Exchange,
    over stored: PictureStore.Found?
  ) async throws(PictureFailure) -> Arrival {
    let head = response.head
    if let failure = PictureFailure(head, now: exchange.receivedAt) {
      await response.discard()
      throw failure
    }
    let control = head.joined(.cacheControl)
    let mayStore = CacheControl([control].compactMap { $0 }).mayBeStored
    let writer = PictureWriter(for: key, store: store, isStored: mayStore)
    var reader = PictureReader(response: response, limit: bodyLimit, allowsSVG: allowsSVG)
    let format = try await reader.read(into: writer)
    if head.status == 206 { try checkWhole(head, count: reader.received) }
    let validators = Validators(entityTag: head[.etag], lastModified: head[.lastModified])
    let finished = await writer.finish { digest, count in
      SourceRecord(
        key: key, url: url, digest: digest, format: format, bytes: count, dimensions: nil,
        entityTag: validators.entityTag, lastModified: validators.lastModified, cacheControl: control,
        fetchedAt: exchange.receivedAt, checkedAt: exchange.receivedAt, lastStatus: head.status,
        freshness: Freshness(head, in: exchange, policy: policy))
    }
    // Only a disk that fails in the middle of a large body, and then does not give back what it took, gets here.
    guard let finished else { throw .overloaded }
    if !mayStore, var former = stored?.record {
      // The older copy stays for when the origin does not answer; until then each request is passed on.
      former.cacheControl = control
      await store.note(former)
    }
    return Arrival(record: finished.record, body: finished.body, isStored: finished.isStored)
  }

  /// A 206 to a request without a range is taken only when the part is the whole.
  private func checkWhole(_ head: ResponseHead, count: Int) throws(PictureFailure) {
    guard head[.contentRange] == Array("bytes 0-\(count - 1)/\(count)".utf8) else {
      throw .broken("the origin sent a part of the picture unasked")
    }
  }
}
