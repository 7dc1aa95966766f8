import CLinux
import Glibc

/// Reads what the kernel tells in its file systems (`/proc`, `/sys`), whose files have no size.
public enum KernelFile {
  /// The first 4 KB of a file; nil when it cannot be read.
  public static func text(of path: String) -> String? {
    let descriptor = clinux_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { return nil }
    defer { clinux_close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = buffer.baseAddress.map { max(0, clinux_read(descriptor, $0, buffer.count)) } ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// How many entries a folder has; nil when it cannot be read.
  public static func entryCount(of path: String) -> Int? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Itself and its parent are among them.
    return max(0, count - 2)
  }
}
