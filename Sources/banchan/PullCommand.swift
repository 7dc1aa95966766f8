import Client
import Glibc
import Images
import Shop

/// `banchan pull`: has a shop in a folder, for use without the network.
enum PullCommand: Command {
  static let name = "pull"
  static let summary = "Has a shop in a folder: the catalog at once, its pictures after; again, only what has changed."
  static let operand: String? = "URL DIR"
  static let operandLimit = 2
  static let flags = [
    Flag(
      name: "sizes", value: "LIST",
      help: "the sizes of each picture: thumb, medium, large, original (thumb,medium,large)"),
    Flag(name: "check", value: "", help: "check the digest of every file in the folder, not only its length"),
    Flag(name: "ca", value: "FILE", help: "authorities to trust besides the system's (PEM)"),
    Flag(name: "json", value: "", help: "the report as JSON"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    // The client writes to sockets that the shop may have closed.
    signal(SIGPIPE, SIG_IGN)
    let configuration = try configuration(flags)
    let loop = try Running.makeLoops(1)[0]
    let isJSON = flags.has("json")
    let (products, pictures) = (ProgressCounter(name: "products"), ProgressCounter(name: "pictures"))
    let result: Result<PullReport, PullError>
    do throws(PullError) {
      let pull = try CatalogPull(configuration, on: loop)
      result = Waiting.wait(on: loop) {
        do throws(PullError) {
          return .success(
            try await pull.run { progress in
              switch progress {
              case .catalog(let count, let version):
                if !isJSON {
                  Messages.write(
                    "banchan: \(configuration.folder)/catalog.json has \(count) products (version \(version))")
                }
              case .products(let done, let total): products.show(done, of: total)
              case .pictures(let done, let total): pictures.show(done, of: total)
              }
            })
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw .failed("\(error)")
    }
    switch result {
    case .success(let report): try tell(report, isJSON: isJSON, shop: configuration.shop)
    case .failure(let error): throw .failed("\(error)")
    }
  }

  private static func configuration(_ flags: Flags) throws(CommandFailure) -> CatalogPull.Configuration {
    guard flags.operands.count == 2 else {
      throw .usage("`banchan pull` needs a shop and a folder: banchan pull http://127.0.0.1:8080 DIR")
    }
    let shop: OriginURL
    do throws(URLFault) {
      shop = try OriginURL(Array(flags.operands[0].utf8))
    } catch {
      throw .usage("'\(flags.operands[0])' is no URL of a shop: \(error)")
    }
    var configuration = CatalogPull.Configuration(shop: shop, folder: flags.operands[1])
    if let list = flags["sizes"] {
      configuration.sizes = []
      for word in list.utf8.split(separator: UInt8(ascii: ",")) {
        guard let size = PictureSize(name: word) else {
          let sizes = PictureSize.allCases.map(\.rawValue).joined(separator: ", ")
          throw .usage("--sizes takes some of \(sizes), not '\(list)'")
        }
        configuration.sizes.append(size)
      }
    }
    configuration.checksFiles = flags.has("check")
    configuration.authorities = flags["ca"]
    configuration.userAgent = "banchan/\(Banchan.version)"
    return configuration
  }

  private static func tell(_ report: PullReport, isJSON: Bool, shop: OriginURL) throws(CommandFailure) {
    if isJSON {
      try Output.write(report.json + [UInt8(ascii: "\n")])
    } else {
      for failure in report.failures { Messages.write("\(failure.name): \(failure.reason)") }
      var words =
        "\(report.stored) of \(report.pictures) pictures, \(report.products) products (version \(report.version)); "
      words += "\(report.fetched) files fetched (\(report.fetchedBytes) bytes)"
      if report.removed > 0 { words += ", \(report.removed) removed" }
      print("\(shop): \(words)")
    }
    if report.isCutShort {
      throw .failed("\(shop) stopped answering; what was pulled stays, and the next pull goes on from there")
    }
    guard report.isComplete else {
      let count = report.failures.count == 1 ? "1 thing" : "\(report.failures.count) things"
      throw .invalid(["banchan: \(count) could not be pulled; the next pull asks for them again"])
    }
  }
}
