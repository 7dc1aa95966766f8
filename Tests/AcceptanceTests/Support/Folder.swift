import FoundationEssentials
import Glibc

/// A folder of a test's own, removed with everything in it when the test is done with it.
struct Folder {
  let path: String

  static func withTemporary<Result>(_ body: (Folder) throws -> Result) throws -> Result {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/banchan-acceptance-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure("No temporary folder: \(lastError())") }
    let folder = Folder(path: String(cString: made))
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    return try body(folder)
  }

  subscript(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = self[name]
    if let slash = file.lastIndex(of: "/") {
      try FileManager.default.createDirectory(atPath: String(file[..<slash]), withIntermediateDirectories: true)
    }
    guard FileManager.default.createFile(atPath: file, contents: Data(bytes)) else {
      throw Failure("Cannot write \(file): \(lastError())")
    }
  }

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func read(_ name: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: self[name]) else {
      throw Failure("Cannot read \(self[name])")
    }
    return Array(data)
  }

  /// What stands in a folder in here.
  func names(in name: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: self[name]) }

  /// The regular files in a folder in here, at any depth, by their path from it.
  func files(in name: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: self[name]) {
      var isFolder = false
      guard FileManager.default.fileExists(atPath: "\(self[name])/\(file)", isDirectory: &isFolder), !isFolder else {
        continue
      }
      // A file that goes away in between (a journal) is as good as one that was never there.
      found[file] = FileManager.default.contents(atPath: "\(self[name])/\(file)").map { Array($0) }
    }
    return found
  }
}

/// What a test could not do; the sentence says it all.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func lastError() -> String { String(cString: strerror(errno)) }
