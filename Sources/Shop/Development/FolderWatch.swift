import CLinux
import FoundationEssentials
import Glibc

/// Tells when something in a folder has become different.
///
/// The kernel says at once when something happens; what it is, is found by looking. Where the kernel stays silent, as for
/// folders that a Mac shares with a container, looking once in a while finds it too. Belongs to one thread.
struct FolderWatch {
  /// What tells one state of a file from another.
  struct FileState: Equatable {
    let size: Int64
    /// Nanoseconds since 1970.
    let changedAt: Int64
    let inode: UInt64
  }

  private let folder: String
  private let watch: Int32
  private(set) var files: [String: FileState]

  /// How often it looks without being told, in milliseconds.
  private static let interval: Int32 = 1_000
  /// Programs save in several steps: it looks when none has come for so many milliseconds.
  private static let quiet: Int32 = 15
  /// A folder that never falls silent is looked at all the same, after so many of those.
  private static let longestNoise = 20

  /// A watch to which what is there now is no news.
  init(_ folder: String) {
    self.folder = folder
    watch = clinux_watch_create()
    files = Self.look(folder, watch)
  }

  /// Waits until something is different, and returns the paths of the files that are, from the folder.
  mutating func nextChanges() -> Set<String> {
    while true {
      if watch >= 0 {
        var noise = 0
        if clinux_watch_wait(watch, Self.interval) > 0 {
          while noise < Self.longestNoise, clinux_watch_wait(watch, Self.quiet) > 0 { noise += 1 }
        }
      } else {
        usleep(UInt32(Self.interval) * 1_000)
      }
      let now = Self.look(folder, watch)
      defer { files = now }
      let changed = Set(now.filter { files[$0.key] != $0.value }.keys).union(files.keys.filter { now[$0] == nil })
      if !changed.isEmpty { return changed }
    }
  }

  /// The files below a folder, hidden ones left out; every folder on the way is watched from now on.
  private static func look(_ folder: String, _ watch: Int32) -> [String: FileState] {
    if watch >= 0 { _ = clinux_watch_folder(watch, folder) }
    var files: [String: FileState] = [:]
    for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
      guard !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") }) else {
        continue
      }
      var status = stat()
      guard stat("\(folder)/\(path)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        if watch >= 0 { _ = clinux_watch_folder(watch, "\(folder)/\(path)") }
      } else if status.st_mode & S_IFMT == S_IFREG {
        let nanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        files[path] = FileState(size: Int64(status.st_size), changedAt: nanoseconds, inode: UInt64(status.st_ino))
      }
    }
    return files
  }
}
