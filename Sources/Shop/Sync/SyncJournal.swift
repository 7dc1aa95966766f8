import CLinux
import Client
import Glibc
import Images
import Net
import Synchronization

/// Why a journal cannot be opened.
public enum SyncJournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another process has it.
  case inUse(path: String)
  /// The folder or file cannot be made, read or written.
  case failed(path: String, reason: String)

  /// One sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .inUse(let path):
      "another sync of this upstream is under way (it holds \(path)): wait for it, or stop it"
    case .failed(let path, let reason):
      "the journal \(path) cannot be used (\(reason)): permit writing there, or choose another folder with --data"
    }
  }
}

/// What a sync has already heard from its upstream, so that one that was killed takes up where it stopped.
///
/// One file per upstream, which only grows: a line that names the upstream and the time, then a record for each answer that
/// was understood, byte for byte as it came. A record carries a digest of itself, so a torn one at the end is known and cut
/// off. Nothing is synced to the disk: a killed process loses nothing, and after a power cut the last answers are asked for
/// again. When the sync ends well, the file goes.
///
///     banchan-sync 1 1709285400 http://127.0.0.1:9090/onban
///     4 2 6f1d…
///     main[]
public final class SyncJournal: Sendable {
  /// What is older was said by another upstream, so to speak: mixing its lists with today's details would make a shop that
  /// never was. In seconds.
  static let lifetime: Int64 = 86_400

  /// Where the file stands.
  public let path: String
  /// The paths whose answers an earlier sync left here.
  private let found: Set<String>

  private struct State {
    var descriptor: Int32
    var bodies: [String: [UInt8]]
    var trouble: String?
  }

  private let state: Mutex<State>

  /// Opens the journal of an upstream, or starts one, and keeps others from it.
  ///
  /// - Parameters:
  ///   - folder: where journals stand; made when it is missing.
  ///   - now: seconds since 1970.
  public init(for upstream: OriginURL, in folder: String, now: Int64) throws(SyncJournalError) {
    // The same place with and without a slash at its end.
    var place = upstream.bytes
    while place.last == UInt8(ascii: "/") { place.removeLast() }
    let path = "\(folder)/\(PictureID(reference: place)).journal"
    try Self.makeFolder(folder)
    let descriptor = clinux_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .failed(path: path, reason: systemMessage(-descriptor)) }
    do throws(SyncJournalError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(path: path) }
      let contents = try Self.contents(descriptor, path)
      let (bodies, end) = JournalFile.read(contents, upstream: place, now: now)
      guard ftruncate(descriptor, off_t(end)) == 0, lseek(descriptor, 0, Int32(SEEK_END)) >= 0 else {
        throw .failed(path: path, reason: systemMessage(errno))
      }
      state = Mutex(State(descriptor: descriptor, bodies: bodies))
      found = Set(bodies.keys)
      self.path = path
      if end == 0 { append(JournalFile.header(upstream: place, now: now)) }
    } catch {
      clinux_close(descriptor)
      throw error
    }
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    clinux_close(descriptor)
  }

  /// How many answers an earlier sync left here.
  public var foundCount: Int { found.count }

  /// Whether there is nothing in it that a later sync could use.
  public var isEmpty: Bool { state.withLock { $0.bodies.isEmpty } }

  /// Whether an earlier sync left the answer at a path.
  func wasFound(_ target: String) -> Bool { found.contains(target) }

  /// The body that was noted for a path below the upstream's mount.
  func body(of target: String) -> [UInt8]? { state.withLock { $0.bodies[target] } }

  /// Notes an answer that was understood.
  func note(_ body: [UInt8], of target: String) {
    state.withLock { $0.bodies[target] = body }
    append(JournalFile.record(target: target, body: body))
  }

  /// Why answers are no longer noted, if they are not: the sync goes on, and a later one would begin anew.
  public var trouble: String? { state.withLock { $0.trouble } }

  /// Removes the file: the sync that it belonged to has ended well. The folder goes with the last of them.
  public func finish() {
    unlink(path)
    if let slash = path.lastIndex(of: "/") { rmdir(String(path[..<slash])) }
  }

  private func append(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.trouble == nil else { return }
      var written = 0
      while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { rest in
          rest.baseAddress.map { clinux_write(state.descriptor, $0, rest.count) } ?? 0
        }
        // What came before stands; a record cut short here is found torn.
        guard count > 0 else { return state.trouble = systemMessage(Int32(-count)) }
        written += count
      }
    }
  }

  private static func makeFolder(_ folder: String) throws(SyncJournalError) {
    // The data folder itself may be new.
    let parents = folder.indices.filter { folder[$0] == "/" && $0 > folder.startIndex }.map { String(folder[..<$0]) }
    for path in parents + [folder] where mkdir(path, 0o755) != 0 && errno != EEXIST {
      throw .failed(path: path, reason: systemMessage(errno))
    }
  }

  private static func contents(_ descriptor: Int32, _ path: String) throws(SyncJournalError) -> [UInt8] {
    let size = Int(clinux_file_size(descriptor))
    guard size >= 0 else { throw .failed(path: path, reason: "not a file") }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      while filled < size {
        let count = clinux_pread(descriptor, base + filled, size - filled, Int64(filled))
        if count < 0 { failure = Int32(-count) }
        guard count > 0 else { return }
        filled += count
      }
    }
    guard failure == 0 else { throw .failed(path: path, reason: systemMessage(failure)) }
    return bytes
  }
}
