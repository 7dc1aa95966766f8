import CLinux
import Glibc

/// The folder of the picture cache: where things stand in it, and that this process alone uses it.
///
///     layout-version      "1"
///     lock                held for as long as the server runs
///     index.db            what is known of each source (``CacheIndex``)
///     objects/ab/ab12…    bodies, named by their SHA-256
///     tmp/                bodies on their way in; emptied at every start
///
/// All of it can be fetched again, so it may be deleted at any time, also while the server runs.
final class CacheFolder: Sendable {
  /// The layout that this program writes.
  static let layoutVersion = 1

  let path: String
  private let lock: Int32

  private static let entries: Set<String> = [
    "layout-version", "lock", "index.db", "index.db-journal", "objects", "tmp", "lost+found",
  ]

  private enum Failure: Error {
    case fault(CacheFault)
    case file(FileError)
  }

  /// Takes over a folder, and makes it when it is not there.
  ///
  /// - Returns: the folder, or why nothing can be stored in it.
  /// - Throws: `CacheFault` when it is not ours to use.
  static func open(_ path: String) throws(CacheFault) -> Result<CacheFolder, CacheTrouble> {
    do throws(Failure) {
      return .success(try CacheFolder(path: path))
    } catch {
      switch error {
      case .fault(let fault): throw fault
      case .file(let file): return .failure(file.trouble)
      }
    }
  }

  private init(path: String) throws(Failure) {
    self.path = path
    let isMarked = try Self.isMarked(path)
    lock = try Self.calling { () throws(FileError) in try FileCalls.open("\(path)/lock", O_RDWR | O_CREAT) }
    // From here on deinit closes the lock, also when this initialiser throws.
    guard clinux_lock_patiently(lock) >= 0 else { throw .fault(.inUse(path: path)) }
    try Self.calling { () throws(FileError) in
      if !isMarked { try Self.mark(path) }
      try FileCalls.makeFolder("\(path)/objects")
      try FileCalls.makeFolder("\(path)/tmp")
      // Bodies that were on their way in when the last run ended.
      for name in try FileCalls.names(in: "\(path)/tmp") { FileCalls.remove("\(path)/tmp/\(name)") }
    }
  }

  deinit {
    // Closing alone would not do: a child that is just being started holds a copy of the descriptor until its exec.
    clinux_unlock(lock)
    clinux_close(lock)
  }

  /// Whether the folder says that it is a cache of a layout that is known; it is made when it is not there.
  private static func isMarked(_ path: String) throws(Failure) -> Bool {
    let names = try calling { () throws(FileError) in
      try FileCalls.makeFolders(path)
      return try FileCalls.names(in: path)
    }
    if names.contains("layout-version") {
      let text = try calling { () throws(FileError) in try FileCalls.read("\(path)/layout-version", upTo: 32) }
      let digits = text.prefix { $0 != UInt8(ascii: "\n") }
      if let found = Int(String(decoding: digits, as: UTF8.self)) {
        guard found <= layoutVersion else {
          throw .fault(.newerLayout(path: path, found: found, known: layoutVersion))
        }
        return true
      }
    }
    // A mark that is lost or unreadable is written anew, but never into a folder that holds other things: what stands in
    // tmp/ is about to be deleted.
    guard names.allSatisfy(entries.contains) else { throw .fault(.foreign(path: path)) }
    return false
  }

  private static func mark(_ path: String) throws(FileError) {
    let file = "\(path)/layout-version"
    let descriptor = try FileCalls.open(file, O_WRONLY | O_CREAT | O_TRUNC)
    defer { clinux_close(descriptor) }
    try FileCalls.write(Array("\(layoutVersion)\n".utf8), to: descriptor, file)
  }

  private static func calling<Value>(_ work: () throws(FileError) -> Value) throws(Failure) -> Value {
    do throws(FileError) { return try work() } catch { throw .file(error) }
  }

  /// Where a body stands.
  func objectPath(_ digest: Digest) -> String { "\(objectFolder(digest))/\(digest.hex)" }

  /// The folder of a body: 256 of them, so that none grows beyond what a directory carries well.
  func objectFolder(_ digest: Digest) -> String { "\(objectsFolder)/\(digest.hex.prefix(2))" }

  /// The folder of the bodies whose digests begin with a byte.
  func objectFolder(_ prefix: UInt8) -> String {
    let digits = String(prefix, radix: 16)
    return "\(objectsFolder)/\(digits.count < 2 ? "0" : "")\(digits)"
  }

  /// The folder of all bodies.
  var objectsFolder: String { "\(path)/objects" }

  /// The database of the index.
  var indexPath: String { "\(path)/index.db" }

  /// The folder for bodies on their way in; on the same file system as the objects, so that a rename moves them.
  var temporaryFolder: String { "\(path)/tmp" }
}
