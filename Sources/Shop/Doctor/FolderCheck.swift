import CLinux
import Glibc

/// Whether a folder can be worked in: there, ours to write, on a file system that keeps its promises, with room.
struct FolderCheck {
  let path: String
  let subject: String
  /// The flag that names another one.
  let flag: String
  /// The bytes that ought to be free.
  let needs: UInt64

  var diagnoses: [Diagnosis] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      guard errno == ENOENT else {
        return [.failure(subject, "\(path) cannot be looked at: \(reason)", "choose another with \(flag)")]
      }
      return [
        .warning(
          subject, "\(path) is not there yet", "start the server, which makes it, or choose another with \(flag)")
      ]
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return [.failure(subject, "\(path) is not a folder", "choose another with \(flag)")]
    }
    if let ownership = FolderOwnership(ofForbidden: path) {
      return [.failure(subject, ownership.finding, ownership.remedy)]
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      return [.failure(subject, "\(path) cannot be written: \(reason)", "choose another with \(flag)")]
    }
    return [.ok(subject, "\(path) can be written"), fileSystem, room]
  }

  /// Locks and syncs are what everything durable stands on, and some file systems only pretend to have them.
  private var fileSystem: Diagnosis {
    let type = clinux_file_system_type(path)
    guard type >= 0 else { return .ok("\(subject): file system", "unknown") }
    guard let name = Self.doubtful[type] else { return .ok("\(subject): file system", "one with locks and syncs") }
    return .warning(
      "\(subject): file system", "\(path) is on \(name), where locks and syncs may not hold",
      "keep it on a local disk; a server on two machines must never share it")
  }

  private var room: Diagnosis {
    var information = statvfs()
    guard statvfs(path, &information) == 0 else { return .ok("\(subject): space", "unknown") }
    let free = UInt64(information.f_bavail).multipliedReportingOverflow(by: UInt64(information.f_frsize)).partialValue
    let megabytes = free >> 20
    guard free >= needs else {
      return .warning(
        "\(subject): space", "\(megabytes) MiB are free, and less than \(needs >> 20) soon fill up",
        "make room on that disk")
    }
    guard information.f_files == 0 || information.f_favail > 1_000 else {
      return .warning(
        "\(subject): space", "only \(information.f_favail) more files can be made", "make room on that disk")
    }
    return .ok("\(subject): space", "\(megabytes) MiB are free")
  }

  /// By the numbers of statfs(2).
  private static let doubtful: [Int64: String] = [
    0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x517B: "SMB", 0x0102_1997: "9p",
    0x6573_5546: "a FUSE file system", 0x0102_1994: "tmpfs, which is gone after a restart",
  ]
}
