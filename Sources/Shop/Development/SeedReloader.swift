import Catalog
import FoundationEssentials
import Glibc
import HTTP
import JSON
import Net
import Text

/// Keeps the shop in step with a seed folder that somebody is working on. A file with faults changes nothing: they are told,
/// on the page and to the terminal, and the last good catalog stays.
final class SeedReloader: Sendable {
  private let folder: String
  private let store: CatalogStore
  private let events: EventHub
  private let report: @Sendable (String) -> Void
  private let threads = BlockingThreads(limit: 1)
  /// What the folder held before the first request was answered: whatever becomes different after that is news.
  private let firstWatch: FolderWatch

  private static let fileName = "catalog.json"
  /// A file that is only half written is whole a moment later: microseconds.
  private static let patience: UInt32 = 60_000
  private static let longestList = 20

  init(
    folder: String, store: CatalogStore, events: EventHub, report: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.store = store
    self.events = events
    self.report = report
    firstWatch = FolderWatch(folder)
  }

  /// Reads the file once, and then whenever it changes, until the process ends.
  ///
  /// - Parameters:
  ///   - onChange: told when the catalog has changed.
  ///   - onPictures: told which pictures' files have changed.
  func start(
    onChange: @escaping @Sendable () -> Void, onPictures: @escaping @Sendable ([PictureReference]) -> Void
  ) {
    threads.submit { [self] in
      var watch = firstWatch
      if reload(announcingSuccess: false) { onChange() }
      while true {
        let changed = watch.nextChanges()
        if changed.contains(Self.fileName), reload(announcingSuccess: true) { onChange() }
        let references = pictures(in: changed)
        guard !references.isEmpty else { continue }
        onPictures(references)
        for reference in references { report("\(folder)/\(reference) has changed") }
      }
    }
  }

  /// Reads the file into the shop, or tells what is wrong with it; whether the catalog has changed.
  private func reload(announcingSuccess: Bool) -> Bool {
    do {
      let catalog = try readCatalog()
      let summary = try store.import(catalog)
      tell([])
      guard summary.hasChanges || announcingSuccess else { return false }
      report(
        "\(path): \(summary.created) created, \(summary.changed) changed, \(summary.hidden) hidden; "
          + "the catalog is at version \(store.version)")
      return summary.hasChanges
    } catch let error as SeedFileError {
      let lines = error.lines(file: path)
      for line in lines.prefix(Self.longestList) { report(line) }
      let more = max(0, lines.count - Self.longestList)
      report(
        "\(path) is not taken as it is\(more > 0 ? ", for these and \(more) more faults" : ""); the last good catalog stays"
      )
      tell(error.faultLines)
    } catch {
      report("\(path): \(error)")
      tell([FaultLine(place: "", english: "\(error)", korean: "\(error)")])
    }
    return false
  }

  /// The catalog in the file; one that breaks off is read again a moment later, as it may be in the middle of being saved.
  private func readCatalog() throws -> SeedCatalog {
    do throws(SeedFileError) {
      return try SeedFile.read(bytes())
    } catch {
      guard case .syntax = error else { throw error }
      usleep(Self.patience)
      return try SeedFile.read(bytes())
    }
  }

  private func bytes() -> [UInt8] {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return data.count <= SeedFile.largestSize ? Array(data) : []
  }

  private var path: String { "\(folder)/\(Self.fileName)" }

  /// The pictures whose files have changed, whichever form of Hangul the file system gave their names.
  private func pictures(in changed: Set<String>) -> [PictureReference] {
    let names = Set(changed.map { Array($0.nfc.utf8) })
    return store.snapshot.pictures.keys.filter { reference in
      guard let name = PercentEncoding.decode(reference.bytes.span) else { return false }
      return names.contains(Array(String(decoding: name, as: UTF8.self).nfc.utf8))
    }
  }

  // MARK: Telling

  /// One thing that is wrong with the file, as the page shows it.
  struct FaultLine {
    let place: String
    let english: String
    let korean: String
  }

  private func tell(_ faults: [FaultLine]) {
    events.publish(.seed) { [path, store] in
      var json = JSONWriter()
      json.object { json in
        json.member("file", path)
        json.member("version", store.version)
        json.key("faults")
        json.array { json in
          for fault in faults.prefix(Self.longestList) {
            json.object { json in
              json.member("place", fault.place)
              json.member("en", fault.english)
              json.member("ko", fault.korean)
            }
          }
        }
        json.member("total", Int64(faults.count))
      }
      return LiveEvent(.seed, json: json.bytes)
    }
  }
}

extension SeedFileError {
  /// What the page says of each fault.
  fileprivate var faultLines: [SeedReloader.FaultLine] {
    switch self {
    case .syntax(let error):
      [SeedReloader.FaultLine(place: "", english: "\(error)", korean: "JSON 문법 오류: \(error)")]
    case .faults(let faults, _):
      faults.map { fault in
        SeedReloader.FaultLine(
          place: "\(fault.pointer)", english: fault.rule.english, korean: fault.rule.korean)
      }
    }
  }
}
