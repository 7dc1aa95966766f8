import CLinux
import Glibc
import Net

/// The few things that commands ask of paths.
enum Paths {
  static func isFolder(_ path: String) -> Bool {
    let descriptor = clinux_open(path, O_RDONLY | O_DIRECTORY, 0)
    guard descriptor >= 0 else { return false }
    clinux_close(descriptor)
    return true
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// A path from the root, so that a process that stands in another folder finds the same place.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard getcwd(&buffer, buffer.count) != nil else { return path }
    let folder = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
  }

  /// Writes a file beside the one of that name and puts it in its place, so that nobody sees half of it.
  static func replace(_ path: String, with bytes: [UInt8]) throws(CommandFailure) {
    let temporary = "\(path).\(getpid()).tmp"
    let descriptor = clinux_open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw .failed("\(path) cannot be written: \(systemMessage(-descriptor))") }
    defer { clinux_close(descriptor) }
    do throws(CommandFailure) {
      try Output.write(bytes, to: descriptor, name: path)
      guard clinux_fsync(descriptor) >= 0, rename(temporary, path) == 0 else {
        throw .failed("\(path) cannot be written: \(systemMessage(errno))")
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The whole of a file, or a sentence on why not.
  static func read(_ path: String, limit: Int64) throws(CommandFailure) -> [UInt8] {
    let descriptor = clinux_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { throw .failed("\(path) cannot be read: \(systemMessage(-descriptor))") }
    defer { clinux_close(descriptor) }
    let size = clinux_file_size(descriptor)
    guard size >= 0 else { throw .failed("\(path) is not a file") }
    guard size <= limit else { throw .failed("\(path) has \(size) bytes; at most \(limit) are taken") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(size))
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { clinux_read(descriptor, $0, buffer.count) } ?? 0
      }
      guard count >= 0 else { throw .failed("\(path) cannot be read: \(systemMessage(Int32(-count)))") }
      guard count > 0, bytes.count + count <= limit else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
