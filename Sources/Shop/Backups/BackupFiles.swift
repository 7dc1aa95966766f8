import CLinux
import FoundationEssentials
import Glibc
import Images
import Net

/// The file calls of backups: everything is on the disk when they return, and counted and hashed on the way.
enum BackupFiles {
  /// Copies a file, or only reads it when there is no destination; what arrived is on the disk afterwards.
  static func copy(_ path: String, to destination: String? = nil) throws(BackupError) -> (bytes: Int64, digest: Digest)
  {
    let source = try open(path, O_RDONLY)
    defer { clinux_close(source) }
    let target = try destination.map { (path) throws(BackupError) in try open(path, O_WRONLY | O_CREAT | O_EXCL) }
    defer { if let target { clinux_close(target) } }
    let hasher = DigestHasher()
    var count: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let read = buffer.withUnsafeMutableBytes { room in
        room.baseAddress.map { clinux_read(source, $0, room.count) } ?? 0
      }
      guard read >= 0 else { throw .file(path: path, reason: systemMessage(Int32(-read))) }
      guard read > 0 else { break }
      let bytes = Array(buffer[..<read])
      hasher.update(bytes)
      count += Int64(read)
      if let target, let destination { try write(bytes, to: target, destination) }
    }
    if let target, let destination { try sync(target, destination) }
    return (count, hasher.finish())
  }

  /// Writes a new file.
  static func write(_ bytes: [UInt8], to path: String) throws(BackupError) {
    let descriptor = try open(path, O_WRONLY | O_CREAT | O_EXCL)
    defer { clinux_close(descriptor) }
    try write(bytes, to: descriptor, path)
    try sync(descriptor, path)
  }

  /// Makes a folder, and those above it.
  static func makeFolder(_ path: String) throws(BackupError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .file(path: path, reason: "the folder cannot be made")
    }
  }

  /// Gives a file or folder its final name; it stands there whole or not at all, also after a power cut.
  static func publish(_ partial: String, as path: String) throws(BackupError) {
    try sync(partial)
    guard rename(partial, path) == 0 else { throw .file(path: path, reason: systemMessage(errno)) }
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try sync(parent.isEmpty ? "/" : parent)
  }

  /// Has the disk keep a file, or what stands in a folder.
  static func sync(_ path: String) throws(BackupError) {
    let descriptor = try open(path, O_RDONLY)
    defer { clinux_close(descriptor) }
    try sync(descriptor, path)
  }

  /// The regular files below a folder by their path from it, in order; none when there is no such folder.
  static func files(below folder: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { path in
      var status = stat()
      return lstat("\(folder)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }.sorted()
  }

  /// Removes a folder with everything in it; one that is not there is as good.
  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  private static func open(_ path: String, _ flags: Int32) throws(BackupError) -> Int32 {
    let descriptor = clinux_open(path, flags, 0o600)
    guard descriptor >= 0 else { throw .file(path: path, reason: systemMessage(-descriptor)) }
    return descriptor
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(BackupError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        rest.baseAddress.map { clinux_write(descriptor, $0, rest.count) } ?? 0
      }
      guard count > 0 else { throw .file(path: path, reason: systemMessage(Int32(-count))) }
      written += count
    }
  }

  private static func sync(_ descriptor: Int32, _ path: String) throws(BackupError) {
    let result = clinux_fsync(descriptor)
    guard result >= 0 else { throw .file(path: path, reason: systemMessage(-result)) }
  }
}
