import CLinux
import Glibc
import HTTP
import Images
import Net
import Server
import Text

/// A picture origin for demonstrations and tests: it serves the files of one folder, and can be slow about it and worse.
public struct FolderOrigin: Responder {
  /// Nothing it says is given again without a look at the disk.
  public let generation = Generation()

  private let folder: String
  private let latency: Int64
  private let faults: FaultInjector
  private let threads = BlockingThreads(limit: 4)

  /// Files above this are not pictures that the shop would take.
  private static let largestFile: Int64 = 64 << 20

  /// Serves `folder`, each answer `latency` milliseconds late, and below the rules' paths with their faults.
  public init(folder: String, latency: Int64 = 0, faults: [FaultRule] = []) {
    self.folder = folder
    self.latency = latency
    self.faults = FaultInjector(rules: faults)
  }

  /// Answers GET and HEAD for a file.
  public func respond(to request: Request) async -> Response {
    if latency > 0, let loop = EventLoop.current { await loop.sleep(milliseconds: latency) }
    do throws(Problem) {
      guard let plan = try faults.plan(for: request.head) else { return await answer(to: request.head) }
      return await faults.respond(to: request, by: plan) { await answer(to: request.head) }
    } catch {
      return error.response(to: request.head)
    }
  }

  private func answer(to head: RequestHead) async -> Response {
    do throws(Problem) { return try await file(for: head) } catch { return error.response(to: head) }
  }

  /// A problem like the shop's own.
  public func response(to refusal: Refusal, head: RequestHead?) -> Response {
    refusal.problem.response(to: head)
  }

  private func file(for head: RequestHead) async throws(Problem) -> Response {
    guard head.method == .get || head.method == .head else {
      var problem = Problem(.methodNotAllowed)
      problem.allowed = [.get, .head]
      throw problem
    }
    guard let path = Self.relativePath(head.path) else { throw Problem(.notFound) }
    let candidates = Self.spellings(of: path).map { "\(folder)/\($0)" }
    guard let bytes = await threads.run({ candidates.lazy.compactMap { Self.read($0) }.first }) else {
      throw Problem(.notFound)
    }
    var response = Response(.ok, body: .bytes(bytes))
    response.add(.contentType, PictureFormat(guessedFrom: head.path).mediaType)
    response.add(.cacheControl, "public, max-age=3600")
    response.entityTag = EntityTag(strong: Array(Digest.of(bytes).hex.utf8.prefix(32)))
    response.acceptsRanges = true
    return response
  }

  /// The path below the folder, decoded; nil when it would leave the folder or names a hidden file.
  static func relativePath(_ path: [UInt8]) -> String? {
    guard let decoded = PercentEncoding.decode(path.span), !decoded.contains(0) else { return nil }
    let segments = decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    guard !segments.isEmpty, segments.allSatisfy({ !$0.isEmpty && $0.first != UInt8(ascii: ".") }) else { return nil }
    return String(decoding: decoded.dropFirst(), as: UTF8.self)
  }

  /// A name as it was asked for, and the other ways in which a file system may have it: a Mac takes Hangul apart (NFD), other
  /// systems leave it whole (NFC).
  private static func spellings(of path: String) -> [String] {
    var spellings = [path]
    for other in [path.nfc, path.nfd] where !spellings.contains(where: { $0.utf8.elementsEqual(other.utf8) }) {
      spellings.append(other)
    }
    return spellings
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = clinux_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { return nil }
    defer { clinux_close(descriptor) }
    let size = clinux_file_size(descriptor)
    guard size >= 0, size <= largestFile else { return nil }
    return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      count = 0
      while count < buffer.count, let base = buffer.baseAddress {
        let read = clinux_read(descriptor, base + count, buffer.count - count)
        guard read > 0 else { return }
        count += read
      }
    }
  }
}
