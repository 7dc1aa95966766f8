import CLinux
import Glibc
import Net

/// A file system call that failed: which, on what, and why.
struct FileError: Error, Equatable {
  let call: String
  let path: String
  let code: Int32

  /// What this means for storing pictures.
  var trouble: CacheTrouble {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .full
    case EROFS, EACCES, EPERM: .readOnly
    // Without the path, which is another one each time: a trouble is told apart by its kind.
    default: .other("\(call) failed: \(systemMessage(code))")
    }
  }
}

/// What tells whether somebody has touched a file: which it is, and when its bytes, its name or its mode last changed.
struct FileStamp: Equatable {
  let inode: UInt64
  let seconds: Int64
  let nanoseconds: Int64
}

/// The calls that the cache makes, one throwing function each. All of them block: they are for blocking threads.
enum FileCalls {
  /// Makes a folder; one that is there already is as good.
  static func makeFolder(_ path: String) throws(FileError) {
    guard mkdir(path, 0o755) != 0 else { return }
    let code = errno
    guard code != EEXIST else { return }
    throw FileError(call: "mkdir", path: path, code: code)
  }

  /// Makes a folder and those above it.
  static func makeFolders(_ path: String) throws(FileError) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    if !parent.isEmpty, access(path, F_OK) != 0, access(parent, F_OK) != 0 { try makeFolders(parent) }
    try makeFolder(path)
  }

  static func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
    let descriptor = clinux_open(path, flags | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw FileError(call: "open", path: path, code: -descriptor) }
    return descriptor
  }

  /// All `count` bytes of a file, if it is as `stamp` says and the system has it in memory; nil when it is not, or when that
  /// cannot be told without waiting. Does not block.
  static func readAtHand(_ path: String, count: Int, _ stamp: FileStamp) -> [UInt8]? {
    let descriptor = clinux_open_at_hand(path)
    guard descriptor >= 0 else { return nil }
    defer { clinux_close(descriptor) }
    guard self.stamp(descriptor) == stamp else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = buffer.baseAddress.map { max(0, clinux_pread_at_hand(descriptor, $0, count, 0)) } ?? 0
    }
    return bytes.count == count ? bytes : nil
  }

  /// What an open file is like now; nil when the system does not say.
  static func stamp(_ descriptor: Int32) -> FileStamp? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return FileStamp(
      inode: UInt64(status.st_ino), seconds: Int64(status.st_ctim.tv_sec), nanoseconds: Int64(status.st_ctim.tv_nsec))
  }

  static func rename(_ path: String, to destination: String) throws(FileError) {
    guard Glibc.rename(path, destination) == 0 else { throw FileError(call: "rename", path: destination, code: errno) }
  }

  /// What became of a file that was to be removed.
  enum Unlinking {
    case removed, missing, failed
  }

  /// Removes a file. A folder in its place is no file.
  @discardableResult
  static func remove(_ path: String) -> Unlinking {
    guard unlink(path) != 0 else { return .removed }
    return [ENOENT, ENOTDIR, EISDIR].contains(errno) ? .missing : .failed
  }

  /// A file system's bytes, and those of them that an ordinary user may still write; nil when it does not say.
  static func space(at path: String) -> (total: Int, free: Int)? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    func bytes(_ blocks: UInt) -> Int {
      Int(clamping: blocks.multipliedReportingOverflow(by: status.f_frsize).partialValue)
    }
    return (bytes(status.f_blocks), bytes(status.f_bavail))
  }

  /// The names in a folder, without `.` and `..`.
  static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else { throw FileError(call: "opendir", path: path, code: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      // Read in place: an entry is only as long as its name, so the field must not be copied whole.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return names }
      let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The first `limit` bytes of a file.
  static func read(_ path: String, upTo limit: Int) throws(FileError) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY)
    defer { clinux_close(descriptor) }
    return try read(descriptor, path, count: limit, at: 0)
  }

  /// Up to `count` bytes from `offset` on; fewer where the file ends.
  static func read(_ descriptor: Int32, _ path: String, count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      while filled < count {
        let read = clinux_pread(descriptor, base + filled, count - filled, Int64(offset + filled))
        if read < 0 { failure = Int32(-read) }
        guard read > 0 else { return }
        filled += read
      }
    }
    if let failure { throw FileError(call: "read", path: path, code: failure) }
    return bytes
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        rest.baseAddress.map { clinux_write(descriptor, $0, rest.count) } ?? rest.count
      }
      guard count >= 0 else { throw FileError(call: "write", path: path, code: Int32(-count)) }
      written += count
    }
  }
}
