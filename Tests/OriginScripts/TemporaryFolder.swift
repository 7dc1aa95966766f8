import Glibc

/// A folder of a test's own, removed with all it holds when the test lets it go.
public final class TemporaryFolder: Sendable {
  /// The absolute path, without a slash at its end.
  public let path: String

  /// Makes a folder below the system's temporary one.
  public init() throws {
    var template = Array("/tmp/banchan-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ScriptFault(call: "mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// Writes a file in the folder.
  public func write(_ name: String, _ bytes: [UInt8]) throws {
    guard let file = fopen("\(path)/\(name)", "w") else { throw ScriptFault(call: "fopen") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// Every file below the folder, as paths from it, sorted.
  public func files() -> [String] { Self.files(below: path, prefix: "").sorted() }

  private static func entries(of path: String) -> [(name: String, isFolder: Bool)] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var entries: [(String, Bool)] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { entries.append((name, entry.pointee.d_type == UInt8(DT_DIR))) }
    }
    return entries
  }

  private static func files(below path: String, prefix: String) -> [String] {
    entries(of: path).flatMap { entry in
      entry.isFolder
        ? files(below: "\(path)/\(entry.name)", prefix: "\(prefix)\(entry.name)/") : ["\(prefix)\(entry.name)"]
    }
  }

  private static func remove(_ path: String) {
    for entry in entries(of: path) {
      if entry.isFolder { remove("\(path)/\(entry.name)") } else { unlink("\(path)/\(entry.name)") }
    }
    rmdir(path)
  }
}
