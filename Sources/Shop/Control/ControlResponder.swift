import Catalog
import HTTP
import Net
import Server

/// The running server's side of its control socket: what writing commands ask of it, as HTTP on a socket in the data
/// folder, which only the same user can reach.
///
/// - `POST /import?missing=hide|delete&dry-run=true` takes a seed file and answers with an `ImportReport`.
/// - `POST /backup?keep=N` takes the path of a folder of backups and answers with a `BackupReport`.
/// - `POST /restore?verify=true` takes the path of a backup and answers with a `Restoration.Outcome`.
public struct ControlResponder: Responder {
  /// Nothing here is answered twice from memory.
  public let generation = Generation()

  /// The socket's name in the data folder.
  public static let socketName = "control.sock"

  private let store: CatalogStore
  let shop: ShopService
  private let program: String
  private let threads = BlockingThreads(limit: 1)

  /// Takes commands for a store that `shop` serves.
  ///
  /// - Parameter program: this program's version, for the backups it makes.
  public init(store: CatalogStore, shop: ShopService, program: String) {
    self.store = store
    self.shop = shop
    self.program = program
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
      guard request.head.method == .post else { throw Problem(.notFound) }
      if request.head.path.starts(with: "/images/".utf8), let stock = shop.stock, let warmer = shop.warmer {
        return try await answer(request, about: stock, warmer)
      }
      let json =
        switch request.head.path {
        case Array("/import".utf8): try await importSeed(request).json
        case Array("/backup".utf8): try await backUp(request).json
        case Array("/restore".utf8): try await restore(request).json
        default: throw Problem(.notFound)
        }
      return Self.json(.bytes(json))
    } catch {
      return error.response(to: request.head)
    }
  }

  /// A problem like the shop's own.
  public func response(to refusal: Refusal, head: RequestHead?) -> Response {
    refusal.problem.response(to: head)
  }

  private func importSeed(_ request: Request) async throws(Problem) -> ImportReport {
    let missing: MissingProducts = Self.parameter("missing", of: request) == "delete" ? .delete : .hide
    let isDryRun = Self.parameter("dry-run", of: request) == "true"
    let body = request.body
    let store = store
    let report = try await threads.run { () throws(Problem) in
      let catalog = try Self.catalog(body)
      if isDryRun { return ImportReport(summary: store.preview(catalog, missing: missing), version: store.version) }
      do throws(CatalogStoreError) {
        let summary = try store.import(catalog, missing: missing)
        return ImportReport(summary: summary, version: store.version)
      } catch {
        throw Self.problem(error)
      }
    }
    if !isDryRun { shop.catalogDidChange() }
    return report
  }

  private func backUp(_ request: Request) async throws(Problem) -> BackupReport {
    let count = Self.parameter("keep", of: request).flatMap { Int($0) } ?? BackupShelf.standardCount
    let (store, program) = (store, program)
    let shelf = BackupShelf(String(decoding: request.body, as: UTF8.self))
    return try await threads.run { () throws(Problem) in
      do throws(BackupError) {
        return try BackupReport.afterBackingUp(store, on: shelf, keeping: count, program: program)
      } catch {
        throw Self.problem(error)
      }
    }
  }

  private func restore(_ request: Request) async throws(Problem) -> Restoration.Outcome {
    let verifies = Self.parameter("verify", of: request) == "true"
    let (store, program) = (store, program)
    let path = String(decoding: request.body, as: UTF8.self)
    let outcome = try await threads.run { () throws(Problem) in
      do throws(BackupError) {
        return try Restoration(of: Backup(at: path), program: program).carryOut(in: store, verifies: verifies)
      } catch {
        throw Self.problem(error)
      }
    }
    shop.catalogDidChange()
    return outcome
  }

  static func parameter(_ name: String, of request: Request) -> String? {
    (QueryString.parameters(request.head.query ?? []) ?? []).first { $0.0 == name }?.1
  }

  static func problem(_ error: some CustomStringConvertible) -> Problem {
    Problem(.internal, detail: Bilingual(korean: "\(error)", english: "\(error)"))
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
