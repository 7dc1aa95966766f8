import Glibc
import Net
import Synchronization

/// Bodies that no index knows, as it was lost: they are moved out of the way at once and removed.
///
/// Nobody knows what they take of the disk, so nothing is stored before they are gone. Some thousands go in a moment; of more,
/// the rest goes on a blocking thread, and pictures are served without being stored meanwhile.
final class Leftovers: Sendable {
  private let folder: CacheFolder
  private let threads: BlockingThreads
  private let areThere = Atomic(false)
  private let removing = Mutex(())

  private static let prefix = "objects-"
  private static let atOnce = 4_096

  /// Takes up what an earlier run has left; blocks.
  init(in folder: CacheFolder, threads: BlockingThreads) {
    self.folder = folder
    self.threads = threads
    if !names.isEmpty { remove() }
  }

  var areGone: Bool { !areThere.load(ordering: .acquiring) }

  /// Moves all bodies out of the way, and begins to remove them; blocks.
  func setObjectsAside() {
    guard let bodies = try? FileCalls.names(in: folder.objectsFolder), !bodies.isEmpty else { return }
    var number = 0
    while access(path(number), F_OK) == 0 { number += 1 }
    try? FileCalls.makeFolder(folder.temporaryFolder)
    try? FileCalls.rename(folder.objectsFolder, to: path(number))
    try? FileCalls.makeFolder(folder.objectsFolder)
    remove()
  }

  private func path(_ number: Int) -> String { "\(folder.temporaryFolder)/\(Self.prefix)\(number)" }

  private var names: [String] {
    ((try? FileCalls.names(in: folder.temporaryFolder)) ?? []).filter { $0.hasPrefix(Self.prefix) }
  }

  private func remove() {
    areThere.store(true, ordering: .releasing)
    guard !removeSome(Self.atOnce) else { return }
    threads.submit { [self] in while !removeSome(Self.atOnce) {} }
  }

  /// - Returns: whether there was nothing more that could be removed.
  private func removeSome(_ limit: Int) -> Bool {
    removing.withLock { _ in
      var left = limit
      for name in names {
        let aside = "\(folder.temporaryFolder)/\(name)"
        for part in (try? FileCalls.names(in: aside)) ?? [] {
          let bodies = "\(aside)/\(part)"
          for body in (try? FileCalls.names(in: bodies)) ?? [] {
            guard left > 0 else { return false }
            left -= 1
            FileCalls.remove("\(bodies)/\(body)")
          }
          if rmdir(bodies) != 0 { FileCalls.remove(bodies) }
        }
        rmdir(aside)
      }
      areThere.store(false, ordering: .releasing)
      return true
    }
  }
}
