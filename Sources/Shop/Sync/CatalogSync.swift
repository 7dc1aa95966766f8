import Catalog
import Client
import JSON
import Net

/// Why a sync could not begin.
public enum SyncError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nobody answers.
  case unreachable(url: String, reason: String)
  /// It answers, and with nothing that is known.
  case unknownSurface(url: String, reasons: [String])
  /// There is no surface of that name.
  case noSuchSurface(String, known: [String])
  /// It is known, and not one of its lists could be taken.
  case nothingListed(url: String, reasons: [String])
  /// TLS cannot be set up on this machine.
  case noTLS(reason: String)

  /// One sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .unreachable(let url, let reason):
      "the upstream \(url) cannot be reached: \(reason)"
    case .unknownSurface(let url, let reasons):
      "the upstream \(url) speaks no surface that is known; name the place where its lists stand, such as "
        + "https://host/onban, or its surface with --surface (\(reasons.joined(separator: "; ")))"
    case .noSuchSurface(let name, let known):
      "there is no surface '\(name)'; the known ones are \(known.joined(separator: ", "))"
    case .nothingListed(let url, let reasons):
      "not one list of the upstream \(url) could be taken (\(reasons.joined(separator: "; "))); nothing was changed"
    case .noTLS(let reason): "no secure connection can be made: \(reason)"
    }
  }
}

/// What happens during a sync, for whoever watches.
public enum SyncProgress: Sendable, Equatable {
  /// The surface is known; so many answers were left by an earlier sync.
  case recognised(surface: String, found: Int)
  /// A section's list was taken, or a collection list under its path.
  case listed(String, products: Int)
  /// A list failed.
  case failed(String, reason: String)
  /// So many of all details have been dealt with.
  case details(done: Int, of: Int)
}

/// Brings home a whole shop from an upstream that speaks one of the compatible surfaces.
///
/// Section by section, then the collections, then the details one by one. What fails is noted, and the sync goes on.
public struct CatalogSync: Sendable {
  /// What an operator sets.
  public struct Configuration: Sendable {
    /// The place that the surface is mounted at. Its origin is spoken to wherever it stands.
    public var upstream: OriginURL
    /// The surface's name; found out when nil.
    public var surface: String?
    /// Further origins that are spoken to although they stand at an inner address: where redirects lead.
    public var allowedOrigins: Set<Origin> = []
    /// Milliseconds until an answer must have begun.
    public var patience: Int64 = 15_000
    /// What the `User-Agent` field says.
    public var userAgent = "banchan/0.1"

    /// The defaults, with an upstream.
    public init(upstream: OriginURL) { self.upstream = upstream }
  }

  private let configuration: Configuration

  /// A sync that has not begun.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// Asks for everything; runs on `loop`, which it blocks for as long as it takes to write a line to the journal.
  public func harvest(
    journal: SyncJournal, on loop: EventLoop, progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws(SyncError) -> Harvest {
    let client = try makeClient()
    let upstream = Upstream(configuration.upstream, client: client, loop: loop, journal: journal)
    let surface = try await recognise(upstream)
    progress(.recognised(surface: surface.name, found: journal.foundCount))
    var harvester = Harvester(upstream: upstream, surface: surface, progress: progress)
    await harvester.takeLists()
    guard harvester.harvest.sections.contains(where: { $0.listings != nil }) else {
      throw .nothingListed(url: upstream.base.description, reasons: Harvest.Failure.lines(harvester.harvest.failures))
    }
    await harvester.takeBest()
    await harvester.takeDetails()
    return harvester.harvest
  }

  private func makeClient() throws(SyncError) -> HTTPClient {
    let tls: TLSClientContext
    do throws(NetError) { tls = try TLSClientContext(authorities: nil) } catch { throw .noTLS(reason: "\(error)") }
    let allowed = configuration.allowedOrigins.union([configuration.upstream.origin])
    var client = HTTPClient.Configuration(rules: AddressRules(allowing: allowed), tls: tls)
    client.accept = "application/json"
    client.userAgent = configuration.userAgent
    client.limits.connectMilliseconds = min(configuration.patience, 5_000)
    client.limits.firstByteMilliseconds = configuration.patience
    client.limits.rateMilliseconds = configuration.patience
    // A whole section comes in one answer, however large the shop is.
    client.limits.totalMilliseconds = configuration.patience * 4
    client.limits.bodyBytes = 32 << 20
    return HTTPClient(client)
  }

  private func recognise(_ upstream: Upstream) async throws(SyncError) -> CompatibleSurface {
    if let name = configuration.surface {
      guard let surface = CompatibleSurface.named(name) else {
        throw .noSuchSurface(name, known: CompatibleSurface.all.map(\.name))
      }
      return surface
    }
    var reasons: [String] = []
    for question in UpstreamRecognition.questions {
      do throws(UpstreamFault) {
        return try await upstream.ask(question) { (answer) throws(UpstreamFault) in
          try UpstreamRecognition.surface(of: answer, to: question)
        }
      } catch {
        // Where there is no list there may be another; where there is nobody, there is nobody.
        if error.isSilence { throw .unreachable(url: upstream.base.description, reason: error.description) }
        reasons.append("/\(question): \(error)")
      }
    }
    throw .unknownSurface(url: upstream.base.description, reasons: reasons)
  }
}
