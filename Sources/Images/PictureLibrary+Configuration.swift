import CLinux
import Client
import Metrics
import Net

extension PictureLibrary {
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
    /// How long pictures count as fresh.
    public var freshness = FreshnessPolicy()
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

    /// Who looks names up.
    var resolver = Resolver()
    /// How many fetch at a time from one origin, how many wait, and how long.
    var gate = OriginGate.Settings()
    /// When an origin is left alone.
    var breaker = CircuitBreaker.Settings()
    /// The clock, in seconds since 1970.
    var now: @Sendable () -> Int64 = { clinux_wall_seconds() }

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
}
