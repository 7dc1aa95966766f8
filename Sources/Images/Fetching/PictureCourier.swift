import CLinux
import Client
import HTTP
import Net

/// Brings pictures: out of the store while they are fresh; out of it all the same while they are stale, with one request
/// behind that asks the origin; and from the origin when nothing is stored.
///
/// A refresh that fails changes nothing: what is stored is served for as long as anybody asks for it.
final class PictureCourier: Sendable {
  private typealias Outcome = OriginAnswer<PictureFetch.Arrival>

  private let fetch: PictureFetch
  private let origins: OriginAccess
  private let isOffline: Bool
  private let loop: EventLoop
  private let tally: PictureTally
  private let log: @Sendable (String) -> Void
  private let onFinding: @Sendable (PictureFinding) -> Void
  private let flights = Flights<SourceKey, Outcome>(passengers: 4_096)
  private let failures = FailureMemory()

  init(
    fetch: PictureFetch, origins: OriginAccess, isOffline: Bool, loop: EventLoop, tally: PictureTally,
    log: @escaping @Sendable (String) -> Void, onFinding: @escaping @Sendable (PictureFinding) -> Void
  ) {
    self.fetch = fetch
    self.origins = origins
    self.isOffline = isOffline
    self.loop = loop
    self.tally = tally
    self.log = log
    self.onFinding = onFinding
  }

  /// The picture of a source.
  ///
  /// - Parameter known: the digest that the catalog has for it; it is told when that is another one.
  func bring(_ source: PictureSource, known: Digest?) async -> Result<StoredPicture, PictureFailure> {
    let key = source.key
    if let found = await fetch.store.find(key) {
      if found.record.digest != known { tell(source, .bytes(found.record)) }
      let picture = await serve(found, of: source)
      switch picture.cacheStatus {
      case .hit: tally.lookups.add(.hit)
      case .revalidating, .stale: tally.lookups.add(.stale)
      // Counted where the origin was asked first.
      case .miss, .confirmed: break
      }
      return .success(picture)
    }
    if isOffline {
      tally.lookups.add(.offline)
      return .failure(.offline)
    }
    if let failure = failures.failure(of: key) {
      tally.lookups.add(.knownFailure)
      return .failure(failure)
    }
    return await fetched(source)
  }

  /// How many flights are under way.
  var flightCount: Int { flights.count }

  /// Lets the next request for a source that failed reach its origin.
  func forgetFailure(of key: SourceKey) { failures.forget(key) }

  /// Asks the origin of a source although what is stored is fresh.
  func refresh(_ source: PictureSource) async {
    failures.forget(source.key)
    guard !isOffline, let url = try? source.url() else { return }
    _ = await flights.outcome(of: source.key, on: EventLoop.current ?? loop) { [self] in
      await fly(source, to: url, isForced: true)
    }
  }

  // MARK: Stored

  /// A stored picture as it can be served now, after the origin was asked where that has to be first.
  private func serve(_ found: PictureStore.Found, of source: PictureSource) async -> StoredPicture {
    let now = fetch.now()
    let key = found.record.key
    if isOffline { return StoredPicture(found, .hit, reusableUntil: .max) }
    let mustBeAsked = found.record.mustBeAsked
    if !mustBeAsked, found.record.freshness.isFresh(at: now) {
      return StoredPicture(found, .hit, reusableUntil: found.record.freshness.freshUntil)
    }
    // What failed a moment ago, or is left alone, is not asked again for every client.
    if let failure = failures.failure(of: key) ?? pause(of: source) {
      return StoredPicture(found, .stale(detail: failure.code), reusableUntil: now + Self.staleSeconds)
    }
    if mustBeAsked {
      switch await fetched(source) {
      case .success(let picture): return picture
      case .failure(let failure): return StoredPicture(found, .stale(detail: failure.code))
      }
    }
    if let url = try? source.url() {
      flights.begin(key, on: EventLoop.current ?? loop) { [self] in await fly(source, to: url) }
    }
    return StoredPicture(found, .revalidating, reusableUntil: now + 1)
  }

  /// For so many seconds the answer that a stale picture got is given again.
  private static let staleSeconds: Int64 = 5

  private func pause(of source: PictureSource) -> PictureFailure? {
    guard let url = try? source.url() else { return nil }
    return origins.pause(of: url.origin).map { .busy(retryAfter: $0) }
  }

  // MARK: Fetched

  private func fetched(_ source: PictureSource) async -> Result<StoredPicture, PictureFailure> {
    let url: OriginURL
    do throws(URLFault) { url = try source.url() } catch { return .failure(.reference(error)) }
    let flight = await flights.outcome(of: source.key, on: EventLoop.current ?? loop) { [self] in
      await fly(source, to: url)
    }
    tally.lookups.add(flight == nil ? .busy : flight?.isShared == true ? .collapsed : .miss)
    guard let flight else { return .failure(.busy(retryAfter: 1)) }
    switch flight.value {
    case .refused(let seconds): return .failure(.busy(retryAfter: seconds))
    case .asked(let result): return result.map { StoredPicture($0, isCollapsed: flight.isShared) }
    }
  }

  /// One flight. It begins with a look at the store: another may have landed since this one was asked for.
  ///
  /// - Parameter isForced: whether the origin is asked although what is stored is fresh.
  private func fly(_ source: PictureSource, to url: OriginURL, isForced: Bool = false) async -> Outcome {
    let key = source.key
    let stored = await fetch.store.find(key)
    if !isForced, let stored, !stored.record.mustBeAsked, stored.record.freshness.isFresh(at: fetch.now()) {
      return .asked(.success(PictureFetch.Arrival(record: stored.record, body: stored.body, isStored: true)))
    }
    let loop = EventLoop.current ?? loop
    let outcome = await origins.pass(to: url.origin, on: loop) {
      let started = clinux_monotonic_microseconds()
      let result = await fetch(key, at: url, stored: stored, on: loop)
      tally.note(result, microseconds: clinux_monotonic_microseconds() - started)
      return result
    }
    switch outcome {
    case .asked(.success(let arrival)):
      failures.forget(key)
      tell(source, .bytes(arrival.record))
    case .asked(.failure(let failure)):
      failures.note(failure, of: key)
      // With a stored copy nothing has failed for good: the catalog decides when a picture dies, never the origin.
      if failure.isForGood, stored == nil { tell(source, .failedForGood(failure)) }
      log("images: \(url): \(failure.reason)")
    case .refused:
      // That says nothing of this picture, and the breaker has had its line.
      break
    }
    return outcome
  }

  private func tell(_ source: PictureSource, _ outcome: PictureFinding.Outcome) {
    guard case .reference(let reference, _) = source else { return }
    onFinding(PictureFinding(id: PictureID(reference: reference), reference: reference, outcome: outcome))
  }
}

extension PictureFinding.Outcome {
  fileprivate static func bytes(_ record: SourceRecord) -> Self {
    .bytes(record.digest, record.format, count: record.bytes)
  }
}

extension StoredPicture {
  /// What was found in the store.
  fileprivate init(
    _ found: PictureStore.Found, _ cacheStatus: Response.CacheStatus, reusableUntil: Int64? = nil
  ) {
    self.init(
      found.record, body: found.body, cacheStatus: cacheStatus, reusableUntil: reusableUntil, visit: found.visit)
  }

  /// What a flight has brought.
  fileprivate init(_ arrival: PictureFetch.Arrival, isCollapsed: Bool) {
    let status: Response.CacheStatus =
      arrival.isConfirmed
      ? .confirmed(isCollapsed: isCollapsed)
      : .miss(
        originStatus: UInt16(clamping: arrival.record.lastStatus), isStored: arrival.isStored, isCollapsed: isCollapsed)
    // Whoever comes next gets another answer, so this one is given only once.
    self.init(arrival.record, body: arrival.body, cacheStatus: status, reusableUntil: nil, visit: nil)
  }

  private init(
    _ record: SourceRecord, body: Response.Body, cacheStatus: Response.CacheStatus, reusableUntil: Int64?,
    visit: BodyVisit?
  ) {
    let freshness = record.freshness
    self.init(
      digest: record.digest, format: record.format, body: body, fetchedAt: record.fetchedAt, cacheStatus: cacheStatus,
      freshness: Response.Freshness(
        storedAt: freshness.generatedAt, lifetime: freshness.freshUntil - freshness.generatedAt),
      reusableUntil: reusableUntil, mayBeStored: !record.mustBeAsked, visit: visit)
  }
}
