import Catalog
import Client
import Glibc
import JSON
import Net
import OriginScripts
import Synchronization

@testable import Shop

/// An object as an upstream writes it, in pieces that a test can change, also into wrong ones.
struct SampleObject: Sendable {
  private var members: [(key: String, json: String)]

  init(_ members: [(key: String, json: String)]) { self.members = members }

  /// The same with some members set to other JSON, or taken out.
  func with(_ changes: [String: String?]) -> SampleObject {
    var changed = self
    for (key, json) in changes {
      changed.members.removeAll { $0.key == key }
      if let json { changed.members.append((key, json)) }
    }
    return changed
  }

  var json: String { "{" + members.map { "\"\($0.key)\":\($0.json)" }.joined(separator: ",") + "}" }
}

/// What an upstream of 2022 answers, as far as its contract goes.
enum UpstreamSample {
  static let url = "http://upstream.test/onban"

  static func item(_ hash: String) -> SampleObject {
    SampleObject([
      ("detail_hash", "\"\(hash)\""), ("image", "\"http://cdn.test/\(hash).jpg\""), ("alt", "\"\(hash)의 사진\""),
      ("delivery_type", #"["새벽배송","전국택배"]"#), ("title", "\"\(hash) 반찬\""), ("description", "\"오늘 아침에\""),
      ("n_price", #""15,800원""#), ("s_price", #""12,640원""#), ("badge", #"["런칭특가"]"#),
    ])
  }

  static func data(_ hash: String) -> SampleObject {
    SampleObject([
      ("top_image", "\"http://cdn.test/\(hash).jpg\""),
      ("thumb_images", "[\"http://cdn.test/\(hash).jpg\",\"http://cdn.test/\(hash)-2.jpg\"]"),
      ("product_description", #""오늘 아침에""#), ("point", #""126원""#), ("delivery_info", #""서울 새벽배송""#),
      ("delivery_fee", #""2,500원 (40,000원 이상 구매 시 무료)""#), ("prices", #"["15,800원","12,640원"]"#),
      ("detail_section", "[\"http://cdn.test/\(hash)-d.jpg\"]"),
    ])
  }

  static func detail(_ hash: String, _ data: SampleObject? = nil) -> String {
    "{\"hash\":\"\(hash)\",\"data\":\((data ?? Self.data(hash)).json)}"
  }

  static func list(_ items: [SampleObject]) -> String {
    "{\"statusCode\":200,\"body\":[\(items.map(\.json).joined(separator: ","))]}"
  }

  static func best(_ collections: [(id: String, items: [SampleObject])]) -> String {
    let entries = collections.map { collection in
      "{\"category_id\":\(collection.id),\"name\":\"모음\",\"items\":[\(collection.items.map(\.json).joined(separator: ","))]}"
    }
    return "{\"statusCode\":200,\"body\":[\(entries.joined(separator: ","))]}"
  }

  /// Three sections with two products each, two collections, and all details, by path.
  static var answers: [String: String] {
    var answers: [String: String] = [:]
    for (section, hashes) in [
      ("main", ["HBDEF", "HDF73"]), ("soup", ["H72C3", "HA6EE"]), ("side", ["HBBCC", "H1939"]),
    ] {
      answers["/onban/\(section)"] = list(hashes.map(item))
      for hash in hashes { answers["/onban/detail/\(hash)"] = detail(hash) }
    }
    answers["/onban/best"] = best([("\"17011200\"", [item("HBDEF"), item("H72C3")]), ("\"17011000\"", [])])
    return answers
  }
}

/// An upstream on a socket that answers by path, and whose answers a test can change.
final class ScriptedUpstream: Sendable {
  /// What it answers for a path, beyond JSON.
  enum Answer: Sendable {
    case json(String)
    case status(Int)
    case reset
  }

  private let box: AnswerBox
  private let origin: ScriptedOrigin

  init(_ answers: [String: String]) throws {
    let box = AnswerBox(answers.mapValues { .json($0) })
    origin = try ScriptedOrigin { request in
      switch box.take(request.target) {
      case .json(let text): request.answer(200, type: "application/json", Array(text.utf8))
      case .status(let status): request.answer(status, type: "application/json", Array("{}".utf8))
      case .reset: request.reset()
      }
    }
    self.box = box
  }

  var url: String { origin.base + "/onban" }
  var targets: [String] { origin.targets }
  var heads: [String] { origin.heads }
  var connections: Int { origin.connections }
  func count(_ path: String) -> Int { origin.targets.count { $0 == path } }

  subscript(_ path: String) -> Answer? {
    get { box.get(path) }
    set { box.set(path, newValue) }
  }

  /// The next request for a path gets this answer, and the ones after it the right one.
  func failOnce(_ path: String, with answer: Answer) { box.failOnce(path, answer) }

  func stop() { origin.stop() }
}

/// The answers of an upstream, shared by its threads.
private final class AnswerBox: Sendable {
  private struct State {
    var answers: [String: ScriptedUpstream.Answer]
    var once: [String: ScriptedUpstream.Answer] = [:]
  }

  private let state: Mutex<State>

  init(_ answers: [String: ScriptedUpstream.Answer]) { state = Mutex(State(answers: answers)) }

  func take(_ path: String) -> ScriptedUpstream.Answer {
    state.withLock { $0.once.removeValue(forKey: path) ?? $0.answers[path] ?? .status(404) }
  }

  func get(_ path: String) -> ScriptedUpstream.Answer? { state.withLock { $0.answers[path] } }
  func set(_ path: String, _ answer: ScriptedUpstream.Answer?) { state.withLock { $0.answers[path] = answer } }
  func failOnce(_ path: String, _ answer: ScriptedUpstream.Answer) { state.withLock { $0.once[path] = answer } }
}

/// Opens a journal, and waits when the one before is still being let go: by a task that has just ended, or by a process
/// that another test is about to start and that has not yet become another program.
func openJournal(of upstream: OriginURL, in folder: String, now: Int64) throws -> SyncJournal {
  for _ in 0..<2_000 {
    do {
      return try SyncJournal(for: upstream, in: folder, now: now)
    } catch SyncJournalError.inUse {
      usleep(5_000)
    }
  }
  return try SyncJournal(for: upstream, in: folder, now: now)
}

/// Asks an upstream for everything, with a journal in a folder.
func harvest(
  _ url: String, journals: String, surface: String? = nil,
  progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
) async throws -> (harvest: Harvest, journal: SyncJournal) {
  let upstream = try OriginURL(Array(url.utf8))
  let journal = try openJournal(of: upstream, in: journals, now: 1_709_285_400)
  var configuration = CatalogSync.Configuration(upstream: upstream)
  configuration.surface = surface
  // A busy machine must not look like a dead upstream.
  configuration.patience = 30_000
  let sync = CatalogSync(configuration)
  let harvest = try await onLoop { loop in
    try await sync.harvest(journal: journal, on: loop, progress: progress)
  }
  return (harvest, journal)
}

/// The mirror of one product as its list and detail have it.
func mirror(
  _ item: SampleObject, detail: SampleObject? = UpstreamSample.data("HBDEF"), over known: SeedCatalog? = nil,
  surface: CompatibleSurface = .onban2022
) throws -> CatalogMirror {
  let reader = UpstreamProductReader(surface: surface, base: try OriginURL(Array("http://upstream.test/onban/".utf8)))
  var harvest = Harvest(surface: surface)
  let entry = try JSONValue(parsing: Array(item.json.utf8))
  let id = try reader.id(of: entry)
  var listing = UpstreamListing.unreadable(id)
  do throws(UpstreamProductReader.Unreadable) {
    listing = .item(try reader.item(id, entry, notes: &harvest.notes))
  } catch {
    harvest.fail(.product, id.text, error.reason)
  }
  harvest.sections = [HarvestedSection(id: try SectionID("main"), listings: [listing])]
  if let detail {
    let value = try JSONValue(parsing: Array(UpstreamSample.detail(id.text, detail).utf8))
    harvest.details[id] = try reader.detail(of: id, value, notes: &harvest.notes)
  }
  return try CatalogMirror(harvest, over: known)
}
