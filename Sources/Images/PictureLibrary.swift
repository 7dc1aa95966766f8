import CLinux
import Client
import HTTP
import Metrics
import Net

/// The catalog's pictures, from the cache or through it from their origins.
///
///     let library = try PictureLibrary(configuration, loop: loop, threads: threads)
///     switch await library.picture(for: reference, known: revision.digest) {
///     case .success(let picture): …   // picture.body, .format, .entityTag, .cacheStatus
///     case .failure(let failure): …   // failure.status, .code, .retryAfter
///     }
///
/// What is stored is served, whatever has become of its origin. What is not is fetched once, however many ask.
public final class PictureLibrary: Sendable {
  /// What an operator sets.
  public struct Configuration: Sendable {
    /// The cache folder; made when it is not there.
    public var cache: String
    /// Bytes of the disk that the cache may take, all its files included. Below a megabyte nothing finds room.
    public var cacheSize = 4 << 30
    /// Bytes that the cache leaves free on its disk; nil for a twentieth of the disk, 256 MiB at most.
    public var minimumFree: Int?
    /// Bytes of bodies that are kept in memory.
    public var memorySize = 32 << 20
    /// What relative references are resolved against, taken as a folder. Its origin is spoken to wherever it stands.
    public var originBase: OriginURL?
    /// Origins that are spoken to although they stand at an inner address.
    public var allowedOrigins: Set<Origin> = []
    /// Authorities to trust besides the system's: a PEM file.
    public var authorities: String?
    /// Times and sizes of a fetch.
    public var limits = FetchLimits()
    /// What the `User-Agent` field says to origins.
    public var userAgent = "banchan/0.1"
    /// Whether no origin is contacted.
    public var isOffline = false
    /// Whether SVG is served.
    public var allowsSVG = false
    /// How sizes are derived; without it each answers with the original.
    public var deriving: DerivingConfiguration?
    /// Where what is counted goes.
    public var metrics = MetricRegistry()
    /// Takes one line that an operator should see.
    public var log: @Sendable (String) -> Void = { _ in }
    /// Takes what the catalog should know. Called on event loops, so it must not block; the same may come again.
    public var onFinding: @Sendable (PictureFinding) -> Void = { _ in }

    /// The defaults, with a cache folder.
    public init(cache: String) { self.cache = cache }
  }

  /// Why a library cannot be opened.
  public enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The cache folder is not ours to use.
    case cache(CacheFault)
    /// The file of authorities cannot be used.
    case authorities(NetError)

    /// One sentence for the operator.
    public var description: String {
      switch self {
      case .cache(let fault): fault.description
      case .authorities(let error): error.description
      }
    }
  }

  private let configuration: Configuration
  private let loop: EventLoop
  let store: PictureStore
  private let fetch: PictureFetch
  private let flights = Flights<SourceKey, Result<PictureFetch.Arrival, PictureFailure>>(passengers: 4_096)
  private let gate = OriginGate(limit: 16, waitingLimit: 256)
  private let failures = FailureMemory()
  private let deriver: PictureDeriver?
  private let tally: PictureTally

  /// Opens the cache folder; blocks while it does.
  ///
  /// - Parameters:
  ///   - loop: where fetches run that somebody asks for who is on no event loop.
  ///   - threads: where files and the index are read and written.
  /// - Throws: `Fault`, for the operator to settle. A folder that cannot be written is no fault: pictures are then served
  ///   without being stored, and ``degradation`` says so.
  public init(_ configuration: Configuration, loop: EventLoop, threads: BlockingThreads) throws(Fault) {
    self.configuration = configuration
    self.loop = loop
    tally = PictureTally(in: configuration.metrics)
    do throws(CacheFault) {
      store = try PictureStore(
        path: configuration.cache,
        limits: CacheDisk.Limits(bytes: configuration.cacheSize, minimumFree: configuration.minimumFree),
        memory: configuration.memorySize, threads: threads, log: configuration.log)
    } catch {
      throw .cache(error)
    }
    deriver = configuration.deriving.map { [store] deriving in
      PictureDeriver(
        deriving, store: store, loop: loop, log: configuration.log, onFinding: configuration.onFinding)
    }
    let tls: TLSClientContext
    do throws(NetError) { tls = try TLSClientContext(authorities: configuration.authorities) } catch {
      throw .authorities(error)
    }
    let base = configuration.originBase.map { [$0.origin] } ?? []
    var client = HTTPClient.Configuration(
      rules: AddressRules(allowing: configuration.allowedOrigins.union(base)), tls: tls)
    client.limits = configuration.limits
    client.userAgent = configuration.userAgent
    fetch = PictureFetch(client: HTTPClient(client), store: store, allowsSVG: configuration.allowsSVG)
    let flights = flights
    configuration.metrics.gauge("banchan_picture_flights", help: "Pictures that are being fetched.") {
      Double(flights.count)
    }
  }

  /// Why pictures are not being stored, for `/readyz`; nil while they are.
  public var degradation: String? { store.trouble?.description }

  /// Why sizes of pictures are not derived, for `/readyz`; nil while they are.
  public var derivingTrouble: String? {
    guard let deriver else { return "there is no worker (banchan-derive) beside the server" }
    return deriver.trouble
  }

  /// How many pictures are being fetched just now, for whomever.
  public var fetchCount: Int { flights.count }

  /// Forgets that a picture failed, so that the next request for it reaches the origin.
  public func forgetFailure(of reference: [UInt8]) { failures.forget(SourceKey(reference: reference)) }

  /// Tells which pictures products show. The cache evicts them last; all others may go for new ones.
  ///
  /// - Parameter references: every reference of the catalog, each as the catalog stores it.
  public func pin(_ references: [[UInt8]]) async { await store.pin(references.map(SourceKey.init(reference:))) }

  /// The picture of a reference.
  ///
  /// - Parameters:
  ///   - reference: its bytes as the catalog stores them.
  ///   - known: the digest that the catalog has for it. When the picture turns out to have another one, the catalog is
  ///     told; the answer to *this* request must then not claim to be the bytes of the current name for ever.
  public func picture(for reference: [UInt8], known: Digest?) async -> Result<StoredPicture, PictureFailure> {
    let key = SourceKey(reference: reference)
    if let found = await store.find(key) {
      if found.record.digest != known { tell(reference, .bytes(found.record)) }
      tally.lookups.add(.hit)
      return .success(StoredPicture(found.record, body: found.body, cacheStatus: .hit, visit: found.visit))
    }
    if configuration.isOffline {
      tally.lookups.add(.offline)
      return .failure(.offline)
    }
    if let failure = failures.failure(of: key) {
      tally.lookups.add(.knownFailure)
      return .failure(failure)
    }
    do throws(URLFault) {
      let url = try OriginURL.resolving(reference: reference, in: configuration.originBase)
      return await fetched(key, at: url, reference)
    } catch {
      return .failure(.reference(error))
    }
  }

  /// A size of the picture of a reference, made and kept when it is not there yet.
  ///
  /// - Parameters:
  ///   - reference: its bytes as the catalog stores them.
  ///   - known: the digest that the catalog has for it, as in ``picture(for:known:)``.
  ///   - isMeasured: whether the catalog has colour and placeholder for that digest.
  public func picture(
    for reference: [UInt8], known: Digest?, size: PictureSize, format: PictureFormat, isMeasured: Bool
  ) async -> Result<StoredPicture, PictureFailure> {
    let result = await picture(for: reference, known: known)
    guard size != .original, case .success(let original) = result else { return result }
    guard let deriver else { return .success(original.standingIn()) }
    return await deriver.derive(
      original, reference, size: size, format: format, isMeasured: isMeasured && original.digest == known)
  }

  private func fetched(
    _ key: SourceKey, at url: OriginURL, _ reference: [UInt8]
  ) async -> Result<StoredPicture, PictureFailure> {
    let loop = EventLoop.current ?? loop
    let flight = await flights.outcome(of: key, on: loop) { [self] in
      // A flight that landed since this one was asked for has stored the picture.
      if let found = await store.find(key) {
        return .success(PictureFetch.Arrival(record: found.record, body: found.body, isStored: true))
      }
      let outcome = await gate.pass(to: url.origin) {
        let started = clinux_monotonic_microseconds()
        let result = await fetch(key, at: url, on: loop)
        tally.note(result, microseconds: clinux_monotonic_microseconds() - started)
        return result
      }
      let result = outcome ?? .failure(.busy(retryAfter: 1))
      switch result {
      case .success(let arrival):
        failures.forget(key)
        tell(reference, .bytes(arrival.record))
      case .failure(let failure):
        // A full queue says nothing about this picture.
        if outcome != nil { failures.note(failure, of: key) }
        if failure.isForGood { tell(reference, .failedForGood(failure)) }
        configuration.log("images: \(url): \(failure.reason)")
      }
      return result
    }
    tally.lookups.add(flight == nil ? .busy : flight?.isShared == true ? .collapsed : .miss)
    guard let flight else { return .failure(.busy(retryAfter: 1)) }
    return flight.value.map { arrival in
      let status = Response.CacheStatus.miss(
        originStatus: UInt16(clamping: arrival.record.lastStatus), isStored: arrival.isStored,
        isCollapsed: flight.isShared)
      return StoredPicture(arrival.record, body: arrival.body, cacheStatus: status)
    }
  }

  private func tell(_ reference: [UInt8], _ outcome: PictureFinding.Outcome) {
    configuration.onFinding(PictureFinding(id: PictureID(reference: reference), reference: reference, outcome: outcome))
  }
}

extension PictureFinding.Outcome {
  fileprivate static func bytes(_ record: SourceRecord) -> Self {
    .bytes(record.digest, record.format, count: record.bytes)
  }
}

extension StoredPicture {
  fileprivate init(
    _ record: SourceRecord, body: Response.Body, cacheStatus: Response.CacheStatus, visit: BodyVisit? = nil
  ) {
    self.init(
      digest: record.digest, format: record.format, body: body, fetchedAt: record.fetchedAt, cacheStatus: cacheStatus,
      visit: visit)
  }
}
