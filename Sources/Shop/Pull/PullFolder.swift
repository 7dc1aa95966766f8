import CLinux
import Glibc
import Net

/// The folder that a shop is pulled into.
///
///     catalog.json           the answer of /api/v1/catalog
///     products/HBDEF.json    the answer of /api/v1/products/HBDEF
///     pictures.json          every picture, and the names, lengths and digests of its files
///     pictures/…-thumb.jpg   a file under the last part of its URL
///     state.json             how far the last pull came
///     .partial/              what is being written; emptied at each start
///     .lock                  held while a pull is at work
///
/// Each file appears whole or not at all, and never changes under its name but for the ones in JSON, which are replaced.
/// Calls block.
///
/// `@unchecked Sendable`: the lock's descriptor is set once; everything else is constant.
final class PullFolder: @unchecked Sendable {
  let path: String
  private let lock: Int32

  /// Takes a folder, which is made when it is not there.
  init(_ path: String) throws(PullError) {
    self.path = path
    for folder in [path, "\(path)/products", "\(path)/pictures", "\(path)/.partial"] { try Self.make(folder) }
    lock = clinux_open("\(path)/.lock", O_RDWR | O_CREAT, 0o644)
    guard lock >= 0 else { throw .folder(path: path, reason: systemMessage(-lock)) }
    guard clinux_lock_patiently(lock) >= 0 else { throw .inUse(path: path) }
    for name in names(in: ".partial") { remove(".partial/\(name)") }
  }

  deinit {
    // Whoever was started meanwhile holds a copy of the descriptor for a moment.
    clinux_unlock(lock)
    clinux_close(lock)
  }

  private static func make(_ folder: String) throws(PullError) {
    guard mkdir(folder, 0o755) != 0 else { return }
    let code = errno
    guard code != EEXIST else { return }
    throw .folder(path: folder, reason: systemMessage(code))
  }

  /// The whole of a file; nil when there is none, or none that can be read.
  func read(_ name: String) -> [UInt8]? {
    let descriptor = clinux_open("\(path)/\(name)", O_RDONLY, 0)
    guard descriptor >= 0 else { return nil }
    defer { clinux_close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { clinux_read(descriptor, $0, buffer.count) } ?? 0
      }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The length of a file in bytes; nil when there is none.
  func size(of name: String) -> Int? {
    let descriptor = clinux_open("\(path)/\(name)", O_RDONLY, 0)
    guard descriptor >= 0 else { return nil }
    defer { clinux_close(descriptor) }
    let size = clinux_file_size(descriptor)
    return size < 0 ? nil : Int(size)
  }

  /// Puts a file in its place when it is whole and on the disk; what was there goes.
  func put(_ bytes: [UInt8], at name: String) throws(PullError) {
    let partial =
      "\(path)/.partial/\(String(decoding: name.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }, as: UTF8.self))"
    let descriptor = clinux_open(partial, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw .folder(path: partial, reason: systemMessage(-descriptor)) }
    var code = Self.write(bytes, to: descriptor)
    if code == 0 { code = max(0, -Int32(clinux_fsync(descriptor))) }
    clinux_close(descriptor)
    if code == 0, rename(partial, "\(path)/\(name)") != 0 { code = errno }
    guard code != 0 else { return }
    unlink(partial)
    throw .folder(path: "\(path)/\(name)", reason: systemMessage(code))
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        rest.baseAddress.map { clinux_write(descriptor, $0, rest.count) } ?? rest.count
      }
      guard count >= 0 else { return Int32(-count) }
      written += count
    }
    return 0
  }

  func remove(_ name: String) { unlink("\(path)/\(name)") }

  /// The names of the files in a folder of this one.
  func names(in folder: String) -> [String] {
    guard let directory = opendir("\(path)/\(folder)") else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // Read in place: an entry is only as long as its name, so the field must not be copied whole.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return names }
      let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
