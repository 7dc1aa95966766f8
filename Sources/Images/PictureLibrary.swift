import Client
import HTTP
import Net

/// The catalog's pictures, and those below mounted origins, from the cache or through it from their origins.
///
///     let library = try PictureLibrary(configuration, loop: loop, threads: threads)
///     switch await library.picture(for: reference, known: revision.digest) {
///     case .success(let picture): …   // picture.body, .format, .entityTag, .cacheStatus
///     case .failure(let failure): …   // failure.status, .code, .retryAfter
///     }
///
/// What is stored is served, whatever has become of its origin. What is not is fetched once, however many ask.
public final class PictureLibrary: Sendable {
  private let originBase: OriginURL?
  let store: PictureStore
  let origins: OriginAccess
  let courier: PictureCourier
  let deriver: PictureDeriver?

  /// Opens the cache folder; blocks while it does.
  ///
  /// - Parameters:
  ///   - loop: where fetches run that somebody asks for who is on no event loop.
  ///   - threads: where files and the index are read and written.
  /// - Throws: `Fault`, for the operator to settle. A folder that cannot be written is no fault: pictures are then served
  ///   without being stored, and ``degradation`` says so.
  public init(_ configuration: Configuration, loop: EventLoop, threads: BlockingThreads) throws(Fault) {
    originBase = configuration.originBase
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
        deriving, store: store, loop: loop, tally: DerivingTally(in: configuration.metrics), log: configuration.log,
        onFinding: configuration.onFinding)
    }
    origins = OriginAccess(
      gate: OriginGate(configuration.gate), breaker: CircuitBreaker(configuration.breaker, log: configuration.log))
    courier = PictureCourier(
      fetch: PictureFetch(
        client: try Self.client(configuration), store: store, policy: configuration.freshness,
        bodyLimit: configuration.limits.bodyBytes, allowsSVG: configuration.allowsSVG, now: configuration.now),
      origins: origins, isOffline: configuration.isOffline, loop: loop, tally: PictureTally(in: configuration.metrics),
      log: configuration.log, onFinding: configuration.onFinding)
    configuration.metrics.gauge("banchan_picture_flights", help: "Pictures that are being fetched.") { [courier] in
      Double(courier.flightCount)
    }
  }

  private static func client(_ configuration: Configuration) throws(Fault) -> HTTPClient {
    let tls: TLSClientContext
    do throws(NetError) { tls = try TLSClientContext(authorities: configuration.authorities) } catch {
      throw .authorities(error)
    }
    let base = configuration.originBase.map { [$0.origin] } ?? []
    var client = HTTPClient.Configuration(
      rules: AddressRules(allowing: configuration.allowedOrigins.union(base)), tls: tls)
    client.limits = configuration.limits
    client.userAgent = configuration.userAgent
    client.resolver = configuration.resolver
    return HTTPClient(client)
  }

  /// Why pictures are not being stored, for `/readyz`; nil while they are.
  public var degradation: String? { store.trouble?.description }

  /// Why sizes of pictures are not derived, for `/readyz`; nil while they are.
  public var derivingTrouble: String? {
    guard let deriver else { return "there is no worker (banchan-derive) beside the server" }
    return deriver.trouble
  }

  /// How the origins are doing, for metrics and `/readyz`.
  public var originsState: OriginsState { origins.state }

  /// How many pictures are being fetched just now, for whomever.
  public var fetchCount: Int { courier.flightCount }

  /// Forgets that a picture failed, so that the next request for it reaches the origin.
  public func forgetFailure(of reference: [UInt8]) { courier.forgetFailure(of: SourceKey(reference: reference)) }

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
    await courier.bring(.reference(reference, base: originBase), known: known)
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

  /// Makes the sizes of a stored picture that are not there yet, before anybody asks for them.
  ///
  /// - Parameters:
  ///   - reference: its bytes as the catalog stores them.
  ///   - digest: that of the stored original.
  ///   - isMeasured: whether the catalog has colour and placeholder for that digest.
  public func prepareSizes(of reference: [UInt8], digest: Digest, isMeasured: Bool) async {
    await deriver?.prepare(digest, reference, isMeasured: isMeasured) {
      guard case .success(let original) = await picture(for: reference, known: digest), original.digest == digest else {
        return nil
      }
      return original
    }
  }

  /// Asks the origin for a picture although what is stored is fresh, as somebody knows better.
  public func refresh(_ reference: [UInt8]) async { await courier.refresh(.reference(reference, base: originBase)) }

  /// A picture below a mounted origin, which the catalog knows nothing of.
  public func picture(at url: OriginURL) async -> Result<StoredPicture, PictureFailure> {
    await courier.bring(.mounted(url), known: nil)
  }
}
