import FoundationEssentials
import Glibc

/// Why a folder cannot hold a shop.
public enum DataFolderError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is something else of that name, or it cannot be made.
  case notAFolder(path: String, reason: String)
  /// Files cannot be made in it.
  case notWritable(path: String, reason: String)
  /// Another process has it.
  case inUse(path: String, process: String?)
  /// A newer program laid it out.
  case newerLayout(path: String, found: String)

  /// One sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .notAFolder(let path, let reason):
      "The data folder \(path) cannot be made (\(reason)): choose another with --data."
    case .notWritable(let path, let reason):
      "The data folder \(path) cannot be written to (\(reason)): permit writing there, or choose another with --data."
    case .inUse(let path, let process):
      "The data folder \(path) is in use by another banchan\(process.map { " (process \($0))" } ?? ""): stop that one, "
        + "or choose another folder with --data."
    case .newerLayout(let path, let found):
      "The data folder \(path) was laid out by a newer version (layout \(found), this program knows 1): use that version."
    }
  }
}

/// The folder that is the shop: database, uploads, backups. Held by one process at a time.
///
/// The lock belongs to the object, and goes with it or with the process, however that ends.
public final class DataFolder: Sendable {
  /// The layout that this program knows.
  static let layout = "1"

  /// The folder's path, without a slash at its end.
  public let path: String
  private let lock: Int32

  /// Takes a folder, which is made when it does not exist.
  public init(_ path: String) throws(DataFolderError) {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .notAFolder(path: path, reason: Self.reason(of: error))
    }
    let lock = try Self.takeLock(in: path)
    do {
      try Self.checkLayout(of: path)
    } catch {
      close(lock)
      throw error
    }
    self.path = path
    self.lock = lock
  }

  deinit {
    // Closing alone would not do: a child that is just being started holds a copy of the descriptor until its exec.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func takeLock(in folder: String) throws(DataFolderError) -> Int32 {
    let descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .notWritable(path: folder, reason: String(cString: strerror(errno))) }
    var patience = 25
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno != EINTR else { continue }
      // A process that is just ending, or starting another one, holds the lock for moments.
      if patience > 0 {
        patience -= 1
        usleep(20_000)
        continue
      }
      defer { close(descriptor) }
      throw .inUse(path: folder, process: owner(of: descriptor))
    }
    // The number only helps whoever reads the message; the lock is the lock.
    let number = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, number, number.count, 0) }
    return descriptor
  }

  private static func owner(of descriptor: Int32) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, 16, 0))
    }
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }

  private static func checkLayout(of folder: String) throws(DataFolderError) {
    let path = "\(folder)/layout"
    if let found = FileManager.default.contents(atPath: path) {
      let text = String(decoding: found.prefix(32), as: UTF8.self).filter { !$0.isWhitespace }
      guard text == layout else { throw .newerLayout(path: folder, found: text) }
      return
    }
    do {
      try Data("\(layout)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .notWritable(path: folder, reason: reason(of: error))
    }
  }

  private static func reason(of error: any Error) -> String {
    (error as? CocoaError)?.underlying.map { "\($0)" } ?? "\(error)"
  }
}
