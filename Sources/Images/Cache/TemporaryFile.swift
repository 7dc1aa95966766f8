import CLinux
import Glibc
import Synchronization

/// A body on its way into the cache: a file that nobody sees until it is whole and bears its digest's name.
///
/// Used by one task at a time, on blocking threads. When it is let go without having been published, it is gone.
///
/// `@unchecked Sendable`: its writer hands it from one blocking thread to the next and waits in between.
final class TemporaryFile: @unchecked Sendable {
  private let folder: CacheFolder
  private let path: String
  private var descriptor: Int32
  private var isPublished = false
  private(set) var count = 0

  /// Names within a process; a folder has one process, and leftovers of others are removed at start.
  private static let number = Atomic<UInt64>(0)

  init(in folder: CacheFolder) throws(FileError) {
    self.folder = folder
    let number = Self.number.wrappingAdd(1, ordering: .relaxed).newValue
    path = "\(folder.temporaryFolder)/\(number)"
    do throws(FileError) {
      descriptor = try Self.create(path)
    } catch {
      // The folder may have been deleted under a running server, which costs nothing but time.
      guard error.code == ENOENT else { throw error }
      try FileCalls.makeFolders(folder.temporaryFolder)
      descriptor = try Self.create(path)
    }
  }

  /// A file with all of a body in it.
  static func holding(_ bytes: [UInt8], in folder: CacheFolder) throws(CacheTrouble) -> TemporaryFile {
    do throws(FileError) {
      let file = try TemporaryFile(in: folder)
      try file.write(bytes)
      return file
    } catch {
      throw error.trouble
    }
  }

  private static func create(_ path: String) throws(FileError) -> Int32 {
    try FileCalls.open(path, O_RDWR | O_CREAT | O_EXCL)
  }

  deinit {
    if descriptor >= 0 { clinux_close(descriptor) }
    if !isPublished { FileCalls.remove(path) }
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    try FileCalls.write(bytes, to: descriptor, path)
    count += bytes.count
  }

  /// Everything written so far, for going on in memory when the disk is full.
  func contents() throws(FileError) -> [UInt8] { try FileCalls.read(descriptor, path, count: count, at: 0) }

  /// Gives the file its name. The same bytes may stand there already; then one takes the other's place.
  ///
  /// Nothing is synced: after a power cut a body may be short, which its size in the index tells.
  func publish(as digest: Digest) throws(FileError) {
    let destination = folder.objectPath(digest)
    do throws(FileError) {
      try FileCalls.rename(path, to: destination)
    } catch {
      guard error.code == ENOENT else { throw error }
      try FileCalls.makeFolders(folder.objectFolder(digest))
      try FileCalls.rename(path, to: destination)
    }
    isPublished = true
  }

  /// Hands the open file over, for reading; it stays readable whatever becomes of its name. Only once.
  func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }
}
