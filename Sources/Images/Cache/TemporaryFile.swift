import CLinux
import Glibc
import Net
import Synchronization

/// A body on its way into the cache: a file that nobody sees until it is whole and bears its digest's name.
///
/// Its bytes are set aside before they are written. Used by one task at a time, on blocking threads. When it is let go
/// without having been published, it is gone.
///
/// `@unchecked Sendable`: its writer hands it from one blocking thread to the next and waits in between.
final class TemporaryFile: @unchecked Sendable {
  private let folder: CacheFolder
  private let keeper: RoomKeeper
  /// What it will be worth to the cache.
  private let rank: BodyRank
  private let path: String
  private var descriptor: Int32
  private var isPublished = false
  private(set) var count = 0
  /// Bytes of the disk that are set aside for it.
  private var reserved = 0
  private var hold: BodyHold?

  /// Names within a process; a folder has one process, and leftovers of others are removed at start.
  private static let number = Atomic<UInt64>(0)

  /// An empty file, with room for `capacity` bytes.
  init(for rank: BodyRank, capacity: Int, in keeper: RoomKeeper) throws(CacheTrouble) {
    self.keeper = keeper
    self.rank = rank
    folder = keeper.folder
    let number = Self.number.wrappingAdd(1, ordering: .relaxed).newValue
    path = "\(folder.temporaryFolder)/\(number)"
    let room = DiskBudget.diskBytes(capacity)
    try keeper.makeRoom(room, for: rank)
    do throws(FileError) {
      descriptor = try Self.create(path, in: folder)
    } catch {
      keeper.budget.release(room)
      throw error.trouble
    }
    reserved = room
  }

  private static func create(_ path: String, in folder: CacheFolder) throws(FileError) -> Int32 {
    do throws(FileError) {
      return try create(path)
    } catch {
      // The folder may have been deleted under a running server, which costs nothing but time.
      guard error.code == ENOENT else { throw error }
      try FileCalls.makeFolders(folder.temporaryFolder)
      return try create(path)
    }
  }

  private static func create(_ path: String) throws(FileError) -> Int32 {
    try FileCalls.open(path, O_RDWR | O_CREAT | O_EXCL)
  }

  deinit {
    if descriptor >= 0 { clinux_close(descriptor) }
    if !isPublished { FileCalls.remove(path) }
    keeper.budget.release(reserved)
  }

  /// Appends bytes, for which it makes room first.
  func write(_ bytes: [UInt8]) throws(CacheTrouble) {
    let needed = DiskBudget.diskBytes(count + bytes.count) - reserved
    if needed > 0 {
      try keeper.makeRoom(needed, for: rank)
      reserved += needed
    }
    do throws(FileError) {
      try FileCalls.write(bytes, to: descriptor, path)
    } catch {
      throw error.trouble
    }
    count += bytes.count
  }

  /// Keeps the body's bytes counted as long as this file is open, whatever becomes of its name.
  func hold(as digest: Digest) { hold = keeper.budget.hold(digest) }

  /// What was set aside for it is counted as stored from now on: its row is there.
  func noteAdmitted() { reserved -= DiskBudget.diskBytes(count) }

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
    keeper.budget.release(reserved)
    reserved = 0
  }

  /// The open file as a body to be sent; it stays readable whatever becomes of its name. Only once.
  func takeBody(threads: BlockingThreads) -> PictureFile {
    defer { descriptor = -1 }
    return PictureFile(descriptor: descriptor, count: count, path: path, threads: threads, keeping: self)
  }
}
