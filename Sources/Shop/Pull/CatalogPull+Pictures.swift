import HTTP
import Images

extension CatalogPull {
  /// How often a picture that cannot be had is asked for.
  private static let attempts = 3

  /// What became of one picture.
  struct PulledFiles: Sendable {
    /// The picture, with what is known of its files now.
    var picture: PulledPicture
    var fetched = 0
    var fetchedBytes = 0
    var fault: PullFault?
  }

  /// Has the pictures in the folder: the placeholder, those of the lists, then the others.
  func pullPictures(
    _ pictures: inout PulledPictures, listed: [String], into report: inout PullReport, _ progress: (Progress) -> Void
  ) async throws(PullError) {
    let known = pictures.pictures
    var seen = Set<String>()
    let order = [pictures.placeholder].compactMap { $0 } + listed + known.keys.sorted()
    var wanted = order.filter { seen.insert($0).inserted }.compactMap { known[$0] }
    let total = wanted.count
    var failures: [(name: String, reason: String)] = []
    for attempt in 1...Self.attempts where !report.isCutShort && !wanted.isEmpty {
      if attempt > 1 { await client.loop.sleep(milliseconds: configuration.pause) }
      failures = []
      var failed: [PulledPicture] = []
      report.isCutShort = await goThrough(wanted) { outcome in
        pictures.pictures[outcome.picture.id] = outcome.picture
        report.fetched += outcome.fetched
        report.fetchedBytes += outcome.fetchedBytes
        if let fault = outcome.fault {
          failures.append((outcome.picture.id, "\(fault)"))
          failed.append(outcome.picture)
        } else {
          report.stored += 1
        }
        progress(.pictures(done: min(total, report.stored + failed.count), total: total))
      }
      wanted = failed
    }
    report.failures += failures
    if pictures.pictures != known { try await put(pictures.file, at: "pictures.json") }
  }

  /// Goes through some pictures, a few at a time; true when the shop stopped answering.
  private func goThrough(_ pictures: [PulledPicture], note: (PulledFiles) -> Void) async -> Bool {
    var rest = pictures[...]
    var silences = 0
    await withTaskGroup(of: PulledFiles.self) { group in
      func start() {
        guard silences < Self.patience, let picture = rest.popFirst() else { return }
        group.addTask { await pull(picture) }
      }
      // The first one alone: it stands where the others are not there yet.
      start()
      var width = Self.width
      while let outcome = await group.next() {
        note(outcome)
        silences = outcome.fault?.isSilence == true ? silences + 1 : 0
        for _ in 0..<width { start() }
        width = 1
      }
    }
    return silences >= Self.patience
  }

  /// Has the files of a picture, in the sizes that are wanted; the original, too, when the shop does not make one of these.
  private func pull(_ picture: PulledPicture) async -> PulledFiles {
    var outcome = PulledFiles(picture: picture)
    var sizes = configuration.sizes
    do throws(PullFault) {
      while let size = sizes.first {
        sizes.removeFirst()
        guard let file = picture.files[size] else { continue }
        if await isThere(file) { continue }
        guard let body = try await fetch(file) else {
          if !configuration.sizes.contains(.original), !sizes.contains(.original) { sizes.append(.original) }
          continue
        }
        outcome.picture.files[size]?.bytes = body.count
        outcome.picture.files[size]?.digest = Digest.of(body).hex
        outcome.fetched += 1
        outcome.fetchedBytes += body.count
        do throws(PullError) { try await put(body, at: "pictures/\(file.name)") } catch { throw .folder(error) }
      }
    } catch {
      outcome.fault = error
    }
    return outcome
  }

  /// Whether a file is in the folder as it should be.
  private func isThere(_ file: PulledPicture.File) async -> Bool {
    let checks = configuration.checksFiles
    return await threads.run { [folder] in
      let name = "pictures/\(file.name)"
      guard let size = folder.size(of: name), file.bytes ?? size == size else { return false }
      guard checks, let digest = file.digest else { return true }
      return folder.read(name).map { Digest.of($0).hex == digest } ?? false
    }
  }

  /// The bytes that a name stands for, for ever; nil when the shop does not make this size.
  private func fetch(_ file: PulledPicture.File) async throws(PullFault) -> [UInt8]? {
    let answer: PullClient.Answer?
    do throws(PullFault) {
      answer = try await client.get("images/\(file.name)", wants: { $0.list(.cacheControl, has: "immutable") })
    } catch .status(let status) where file.name.size != .original && (400..<500).contains(status) {
      return nil
    }
    guard let answer else { throw .answer("nothing, as if it were there already") }
    guard answer.head.list(.cacheControl, has: "immutable") else {
      // Another picture in its place, which must not be kept under this name.
      if file.name.size != .original, answer.head.list(.cacheControl, has: "no-store") { return nil }
      throw .answer("the picture is changing just now")
    }
    let digest = Digest.of(answer.body).hex
    guard file.digest ?? digest == digest, answer.tag.map({ $0 == "\"\(digest.prefix(32))\"" }) ?? true else {
      throw .answer("its bytes do not match their digest")
    }
    return answer.body
  }
}
