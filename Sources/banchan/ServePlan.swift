import CLinux
import Client
import Glibc
import Net
import Server
import Shop

extension ServeCommand {
  /// What the settings ask `serve` for, checked.
  struct Plan {
    let address: SocketAddress
    let tls: TLS?
    /// Where operators ask; nil when they do not.
    let operations: SocketAddress?
    let data: String
    let cache: String
    /// Bytes.
    let cacheSize: Int
    /// Bytes; nil for the library's own rule.
    let minimumFree: Int?
    let seed: String
    let pages: String?
    let publicURL: PublicBase?
    let originBase: OriginURL?
    let allowedOrigins: Set<Origin>
    let development: DevelopmentMode?
    let isOffline: Bool
    let warmsPictures: Bool
    let surfaces: [SurfaceMount]
    let mounts: [OriginMount]
    let trustedProxies: [IPAddressBlock]
    let corsOrigins: [String]
    let threads: Int
    let log: LogSettings
    private let limits: ServerLimits

    init(_ settings: Settings) throws(CommandFailure) {
      address = try Flags.address(
        settings.text("host"), port: Int(clamping: settings.number("port") ?? 0), place: settings.entry("host").place)
      tls = try TLS(settings, host: address.address)
      operations = try settings.number("ops-port").map { (port) throws(CommandFailure) in
        let place = settings.entry("ops-host").place
        return try Flags.address(settings.text("ops-host"), port: Int(clamping: port), place: place)
      }
      data = settings.text("data")
      cache = settings.text("cache")
      cacheSize = Int(clamping: settings.number("cache-size") ?? .max)
      minimumFree = settings.number("min-free").map { Int(clamping: $0) }
      seed = settings.text("seed")
      pages = ShopFiles.pages(settings["public"])
      publicURL = try Self.publicURL(settings)
      originBase = try settings["origin-base"].map { (text) throws(CommandFailure) in
        try Self.url(text, place: settings.entry("origin-base").place)
      }
      allowedOrigins = try Self.origins(settings)
      development = try Self.development(settings)
      isOffline = settings.isOn("offline")
      warmsPictures = settings["warm"] == "on" && !isOffline
      surfaces = try Self.surfaces(settings.all("surface"))
      mounts = try Self.mounts(settings.all("mount"))
      trustedProxies = try Self.proxies(settings)
      corsOrigins = try Self.corsOrigins(settings)
      threads = Int(clamping: settings.number("threads") ?? 1)
      log = Self.log(settings)
      var limits = ServerLimits()
      try TestLimits.apply(to: &limits)
      self.limits = limits
    }

    /// The server's limits, and none that there is no memory for.
    func limits(within memory: MemoryBounds) -> ServerLimits {
      var limits = limits
      limits.connections = min(limits.connections, memory.connections)
      limits.bodies = min(limits.bodies, memory.requestBodies)
      return limits
    }

    /// The origin base: the flag's, else that of the demo origin.
    func originBase(or demo: String?) throws(CommandFailure) -> OriginURL? {
      if let originBase { return originBase }
      return try demo.map { (text) throws(CommandFailure) in try Self.url(text, place: "the demo origin") }
    }

    static func log(_ settings: Settings) -> LogSettings {
      LogSettings(
        format: settings.word("log", default: .text), level: settings.word("log-level", default: .info),
        addresses: settings.word("log-addresses", default: .full))
    }

    private static func url(_ text: String, place: String) throws(CommandFailure) -> OriginURL {
      do throws(URLFault) {
        return try OriginURL(Array(text.utf8))
      } catch {
        throw .usage("\(place) takes a URL such as https://pictures.example/shop/, not '\(text)': \(error)")
      }
    }

    static func origins(_ settings: Settings) throws(CommandFailure) -> Set<Origin> {
      var origins: Set<Origin> = []
      for text in settings.all("origin-allow") {
        do throws(URLFault) {
          origins.insert(try Origin(Array(text.utf8)))
        } catch {
          throw settings.refusal(
            of: "origin-allow", takes: "an origin such as http://10.0.0.5:9000", not: text, because: "\(error)")
        }
      }
      return origins
    }

    private static func proxies(_ settings: Settings) throws(CommandFailure) -> [IPAddressBlock] {
      var blocks: [IPAddressBlock] = []
      for text in settings.all("trusted-proxy") {
        guard let block = IPAddressBlock(text) else {
          throw settings.refusal(of: "trusted-proxy", takes: "an address or a block such as 10.0.0.0/8", not: text)
        }
        blocks.append(block)
      }
      return blocks
    }

    private static func corsOrigins(_ settings: Settings) throws(CommandFailure) -> [String] {
      let texts = settings.all("cors-origin")
      for text in texts {
        guard PublicBase(url: text) != nil, text.utf8.last != UInt8(ascii: "/") else {
          throw settings.refusal(of: "cors-origin", takes: "an origin such as https://shop.example", not: text)
        }
      }
      return texts
    }

    private static func development(_ settings: Settings) throws(CommandFailure) -> DevelopmentMode? {
      var rules: [FaultRule] = []
      for text in settings.all("fault") {
        do throws(FaultPlan.Fault) {
          rules.append(try FaultRule(text))
        } catch {
          throw settings.refusal(of: "fault", takes: "a path and faults", not: text, because: error.description)
        }
      }
      guard settings.isOn("dev") else {
        guard rules.isEmpty else { throw .usage("\(settings.entry("fault").place) is for --dev alone") }
        return nil
      }
      return DevelopmentMode(seedFolder: settings.text("seed"), rules: rules)
    }

    private static func publicURL(_ settings: Settings) throws(CommandFailure) -> PublicBase? {
      guard let text = settings["public-url"] else { return nil }
      guard let base = PublicBase(url: text) else {
        throw settings.refusal(of: "public-url", takes: "scheme and host such as https://shop.example", not: text)
      }
      return base
    }

    private static func mounts(_ texts: [String]) throws(CommandFailure) -> [OriginMount] {
      do throws(OriginMountError) {
        return try texts.map { (text) throws(OriginMountError) in try OriginMount(text) }
      } catch {
        throw .usage("\(error)")
      }
    }

    private static func surfaces(_ texts: [String]) throws(CommandFailure) -> [SurfaceMount] {
      do throws(SurfaceMountError) {
        return try SurfaceMount.mounts(overriding: texts)
      } catch {
        throw .usage("\(error)")
      }
    }
  }
}
