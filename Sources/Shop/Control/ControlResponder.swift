import Catalog
import HTTP
import Net
import Server

/// The running server's side of its control socket: what writing commands ask of it, as HTTP on a socket in the data
/// folder, which only the same user can reach.
///
/// `POST /import?missing=hide|delete&dry-run=true` takes a seed file and answers with an `ImportReport`.
public struct ControlResponder: Responder {
  /// Nothing here is answered twice from memory.
  public let generation = Generation()

  /// The socket's name in the data folder.
  public static let socketName = "control.sock"

  private let store: CatalogStore
  private let shop: ShopService
  private let threads = BlockingThreads(limit: 1)

  /// Takes commands for a store that `shop` serves.
  public init(store: CatalogStore, shop: ShopService) {
    self.store = store
    self.shop = shop
  }

  /// Bodies as large as seed files.
  public static var limits: ServerLimits {
    var limits = ServerLimits()
    limits.request.body = SeedFile.largestSize
    return limits
  }

  /// Carries out a command.
  public func respond(to request: Request) async -> Response {
    do throws(Problem) {
      guard request.head.method == .post, request.head.path == Array("/import".utf8) else { throw Problem(.notFound) }
      let report = try await importSeed(request)
      var response = Response(.ok, body: .bytes(report.json))
      response.add(.contentType, "application/json")
      response.add(.cacheControl, "no-store")
      return response
    } catch {
      return error.response(to: request.head)
    }
  }

  /// A problem like the shop's own.
  public func response(to refusal: Refusal, head: RequestHead?) -> Response {
    refusal.problem.response(to: head)
  }

  private func importSeed(_ request: Request) async throws(Problem) -> ImportReport {
    let parameters = QueryString.parameters(request.head.query ?? []) ?? []
    let missing: MissingProducts = parameters.contains { $0 == ("missing", "delete") } ? .delete : .hide
    let isDryRun = parameters.contains { $0 == ("dry-run", "true") }
    let body = request.body
    let store = store
    let report = try await threads.run { () throws(Problem) in
      let catalog = try Self.catalog(body)
      if isDryRun { return ImportReport(summary: store.preview(catalog, missing: missing), version: store.version) }
      do throws(CatalogStoreError) {
        let summary = try store.import(catalog, missing: missing)
        return ImportReport(summary: summary, version: store.version)
      } catch {
        throw Problem(.internal, detail: Bilingual(korean: "\(error)", english: "\(error)"))
      }
    }
    shop.catalogDidChange()
    return report
  }

  private static func catalog(_ body: [UInt8]) throws(Problem) -> SeedCatalog {
    do throws(SeedFileError) {
      return try SeedFile.read(body)
    } catch {
      var problem = Problem(.validationFailed, detail: Bilingual(korean: "\(error)", english: "\(error)"))
      if case .faults(let faults, _) = error { problem.faults = faults }
      throw problem
    }
  }
}
