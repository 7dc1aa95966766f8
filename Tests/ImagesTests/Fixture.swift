import Client
import HTTP
import Net
import OriginScripts
import Synchronization

@testable import Images

/// A cache folder, an event loop, and what a library said to its owner. Libraries are opened on it one after the other,
/// as a server that restarts does.
final class Fixture: Sendable {
  let folder: TemporaryFolder
  let loop: EventLoop
  let threads = BlockingThreads(limit: 4)
  private let said = Mutex<(lines: [String], findings: [PictureFinding])>(([], []))

  var cache: String { "\(folder.path)/cache" }
  var lines: [String] { said.withLock { $0.lines } }
  var findings: [PictureFinding] { said.withLock { $0.findings } }

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop(name: "test")
    loop.start()
  }

  /// Runs `body` with a library, and closes it.
  func withLibrary<Value>(
    _ base: String? = nil, _ change: (inout PictureLibrary.Configuration) throws -> Void = { _ in },
    _ body: (PictureLibrary) async throws -> Value
  ) async throws -> Value {
    var configuration = PictureLibrary.Configuration(cache: cache)
    configuration.originBase = try base.map { try OriginURL(Array($0.utf8)) }
    configuration.log = { line in self.said.withLock { $0.lines.append(line) } }
    configuration.onFinding = { finding in self.said.withLock { $0.findings.append(finding) } }
    // A busy machine must not look like a slow origin: tests of slowness set limits of their own.
    configuration.limits.connectMilliseconds = 30_000
    configuration.limits.firstByteMilliseconds = 30_000
    configuration.limits.rateMilliseconds = 30_000
    configuration.limits.totalMilliseconds = 60_000
    try change(&configuration)
    return try await body(try await open(configuration))
  }

  /// Opens a library as soon as the one before has let go of the folder: a flight's task ends a little after it landed.
  private func open(_ configuration: PictureLibrary.Configuration) async throws -> PictureLibrary {
    for _ in 0..<1_000 {
      do throws(PictureLibrary.Fault) {
        return try PictureLibrary(configuration, loop: loop, threads: threads)
      } catch {
        guard case .cache(.inUse) = error else { throw error }
        try await Task.sleep(nanoseconds: 5_000_000)
      }
    }
    throw PictureLibrary.Fault.cache(.inUse(path: cache))
  }

  /// Lets what was let go be closed on the loop, and ends it.
  func end() async {
    await Task(executorPreference: loop) { await Task.yield() }.value
    loop.stop()
  }
}

/// Runs a test with a fixture of its own.
func withFixture(_ body: (Fixture) async throws -> Void) async throws {
  let fixture = try Fixture()
  do {
    try await body(fixture)
  } catch {
    await fixture.end()
    throw error
  }
  await fixture.end()
}

/// Bytes that look like a JPEG from the front, each like no other by its seed.
func jpeg(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed
  let noise = (0..<max(0, count - 4)).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 33)
  }
  return [0xFF, 0xD8, 0xFF, 0xE0] + noise
}

extension PictureLibrary {
  /// The picture of a reference given as text, of which the catalog knows nothing.
  func picture(_ reference: String, known: Digest? = nil) async -> Result<StoredPicture, PictureFailure> {
    await picture(for: Array(reference.utf8), known: known)
  }
}

extension StoredPicture {
  /// All its bytes.
  var bytes: [UInt8] { get async { await body.all } }
}

extension Response.Body {
  /// All its bytes.
  var all: [UInt8] {
    get async {
      switch self {
      case .empty: []
      case .bytes(let bytes): bytes
      case .source(let source): await source.bytes(0..<source.count)
      case .stream: []
      }
    }
  }
}

extension Result {
  var success: Success? { if case .success(let success) = self { success } else { nil } }
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
