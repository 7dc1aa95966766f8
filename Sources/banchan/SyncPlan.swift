import CLinux
import Catalog
import Client
import Glibc
import Shop

extension SyncCommand {
  /// What the flags of `sync` ask for, checked.
  struct Plan {
    let configuration: CatalogSync.Configuration
    let data: String
    let cache: String
    let missing: MissingProducts
    let isDryRun: Bool
    let wantsPictures: Bool
    private let hadFolder: Bool

    private enum Switch: String, CaseIterable { case on, off }

    init(_ flags: Flags) throws(CommandFailure) {
      guard let text = flags.operands.first else {
        throw .usage("`banchan sync` needs the place where the upstream's lists stand, such as https://host/onban")
      }
      let upstream: OriginURL
      do throws(URLFault) {
        upstream = try OriginURL(Array(text.utf8))
      } catch {
        throw .usage("'\(text)' is no URL of an upstream: \(error)")
      }
      var configuration = CatalogSync.Configuration(upstream: upstream)
      configuration.surface = flags["surface"]
      configuration.allowedOrigins = try ServeCommand.Plan.origins(flags.settings)
      configuration.patience = Int64(try flags.number("timeout", in: 1...600, default: 15)) * 1_000
      configuration.userAgent = "banchan/\(Banchan.version)"
      self.configuration = configuration
      data = flags.settings.text("data")
      hadFolder = Paths.exists(data)
      cache = flags.settings.text("cache")
      missing = flags.has("prune") ? .delete : .hide
      isDryRun = flags.has("dry-run")
      wantsPictures = try flags.word("pictures", default: Switch.on) == .on
    }

    /// Whether there is a shop in the data folder.
    var hasShop: Bool { Paths.exists("\(data)/\(CatalogStore.fileName)") }

    /// The origins that pictures are fetched from wherever they stand.
    var pictureOrigins: Set<Origin> { configuration.allowedOrigins.union([configuration.upstream.origin]) }

    /// Removes a journal that nobody will go on with, and the data folder when it was made for that alone.
    func remove(_ journal: SyncJournal) {
      journal.finish()
      if !hadFolder { rmdir(data) }
    }

    func openJournal() throws(CommandFailure) -> SyncJournal {
      do throws(SyncJournalError) {
        return try SyncJournal(for: configuration.upstream, in: "\(data)/sync", now: clinux_wall_seconds())
      } catch {
        throw .failed("\(error)")
      }
    }
  }
}
