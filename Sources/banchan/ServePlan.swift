import CLinux
import Client
import Glibc
import Net
import Server
import Shop

extension ServeCommand {
  /// What the flags of `serve` ask for, checked.
  struct Plan {
    let address: SocketAddress
    let tls: TLS?
    let data: String
    let cache: String
    let seed: String
    let publicURL: PublicBase?
    let originBase: OriginURL?
    let allowedOrigins: Set<Origin>
    let surfaces: [SurfaceMount]
    let trustedProxies: [IPAddressBlock]
    let corsOrigins: [String]
    let threads: Int
    let log: LogFormat
    let limits: ServerLimits
    /// Milliseconds.
    let grace: Int64

    init(_ flags: Flags) throws(CommandFailure) {
      address = try flags.address(port: 8080)
      tls = try TLS(flags, host: address.address)
      data = flags["data"] ?? "data"
      cache = flags["cache"] ?? "cache"
      seed = flags["seed"] ?? "seed"
      publicURL = try Self.publicURL(flags["public-url"])
      originBase = try flags["origin-base"].map { (text) throws(CommandFailure) in
        try Self.url(text, flag: "origin-base")
      }
      allowedOrigins = try Self.origins(flags.all("origin-allow"))
      surfaces = try Self.surfaces(flags.all("surface"))
      trustedProxies = try Self.proxies(flags.all("trusted-proxy"))
      corsOrigins = try Self.corsOrigins(flags.all("cors-origin"))
      threads = try flags.number("threads", in: 1...256, default: Self.cores)
      log = try flags.word("log", default: LogFormat.text)
      var limits = ServerLimits()
      try TestLimits.apply(to: &limits)
      self.limits = limits
      grace = Int64(try flags.number("grace", in: 0...3_600, default: 10)) * 1_000
    }

    /// The origin base: the flag's, else that of the demo origin.
    func originBase(or demo: String?) throws(CommandFailure) -> OriginURL? {
      if let originBase { return originBase }
      return try demo.map { (text) throws(CommandFailure) in try Self.url(text, flag: "origin-base") }
    }

    /// The cores that this process may use.
    private static var cores: Int {
      max(1, Int(clamping: clinux_usable_cores()))
    }

    private static func url(_ text: String, flag: String) throws(CommandFailure) -> OriginURL {
      do throws(URLFault) {
        return try OriginURL(Array(text.utf8))
      } catch {
        throw .usage("--\(flag) takes a URL such as https://pictures.example/shop/, not '\(text)': \(error)")
      }
    }

    static func origins(_ texts: [String]) throws(CommandFailure) -> Set<Origin> {
      var origins: Set<Origin> = []
      for text in texts {
        do throws(URLFault) {
          origins.insert(try Origin(Array(text.utf8)))
        } catch {
          throw .usage("--origin-allow takes an origin such as http://10.0.0.5:9000, not '\(text)': \(error)")
        }
      }
      return origins
    }

    private static func proxies(_ texts: [String]) throws(CommandFailure) -> [IPAddressBlock] {
      var blocks: [IPAddressBlock] = []
      for text in texts {
        guard let block = IPAddressBlock(text) else {
          throw .usage("--trusted-proxy takes an address or a block such as 10.0.0.0/8, not '\(text)'")
        }
        blocks.append(block)
      }
      return blocks
    }

    private static func corsOrigins(_ texts: [String]) throws(CommandFailure) -> [String] {
      for text in texts {
        guard PublicBase(url: text) != nil, text.utf8.last != UInt8(ascii: "/") else {
          throw .usage("--cors-origin takes an origin such as https://shop.example, not '\(text)'")
        }
      }
      return texts
    }

    private static func publicURL(_ text: String?) throws(CommandFailure) -> PublicBase? {
      guard let text else { return nil }
      guard let base = PublicBase(url: text) else {
        throw .usage("--public-url takes scheme and host such as https://shop.example, not '\(text)'")
      }
      return base
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
