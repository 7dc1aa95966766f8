import FoundationEssentials

/// The files of a folder that are served as they are.
///
/// They are read once, when the server starts: no request reaches the disk, whatever its path; a page and its scripts are
/// always of one state; and an answer costs what any other does. A change is served after a restart.
public struct PublicFolder: Sendable {
  /// Every file, by its path below the folder, such as `docs/index.html`.
  let files: [String: PublicFile]

  /// More than this is not a handful of pages.
  static let fileLimit = 1_000
  /// Bytes in all files together.
  static let byteLimit = 32 << 20

  /// Reads all files at any depth; blocks while it does. Names that begin with a dot are passed over.
  public init(_ path: String) throws(PublicFolderFault) {
    var files: [String: PublicFile] = [:]
    var room = Self.byteLimit
    for name in try Self.names(in: path) {
      let file = try Self.read("\(path)/\(name)", name: name, room: room)
      room -= file.identity.bytes.count
      files[name] = file
    }
    self.files = files
  }

  /// The addresses that people begin at: those of the pages in the folder itself and right below it.
  var entrances: [String] {
    files.values.filter { $0.isIndex && $0.path.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 1 }.map(\.path)
      .sorted()
  }

  /// The names of all files, in order, so that what is wrong with them is told in order, too.
  private static func names(in folder: String, below prefix: String = "") throws(PublicFolderFault) -> [String] {
    let manager = FileManager.default
    guard let found = try? manager.contentsOfDirectory(atPath: folder) else { throw .unreadable(folder) }
    var names: [String] = []
    for name in found.sorted() where name.utf8.first != UInt8(ascii: ".") {
      let path = "\(folder)/\(name)"
      // In a route, braces hold a parameter.
      guard !name.utf8.contains(where: "{}".utf8.contains) else { throw .oddName(path) }
      switch (try? manager.attributesOfItem(atPath: path))?[.type] as? FileAttributeType {
      case FileAttributeType.typeRegular?: names.append(prefix + name)
      case FileAttributeType.typeDirectory?: names += try Self.names(in: path, below: "\(prefix)\(name)/")
      // A link may lead anywhere, and a pipe never ends.
      default: throw .notAFile(path)
      }
      guard names.count <= fileLimit else { throw .tooMany(folder) }
    }
    return names
  }

  private static func read(_ path: String, name: String, room: Int) throws(PublicFolderFault) -> PublicFile {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { throw .unreadable(path) }
    guard let size = attributes[.size] as? UInt, size <= UInt(room) else { throw .tooLarge(path) }
    guard let contents = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
    let seconds = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970.rounded(.down)
    return PublicFile(name: name, bytes: Array(contents), changedAt: seconds.flatMap(Int64.init(exactly:)) ?? 0)
  }
}

/// Why the public folder cannot be served.
public enum PublicFolderFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder or file cannot be read.
  case unreadable(String)
  /// It has more files than are served.
  case tooMany(String)
  /// With this file there are more bytes than are kept in memory.
  case tooLarge(String)
  /// The name holds a brace.
  case oddName(String)
  /// It is a link, a pipe or the like.
  case notAFile(String)
  /// Something else is served at the file's address.
  case taken(file: String, route: String)

  /// One sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .unreadable(let path): "\(path) cannot be read; name a folder of pages with --public DIR, or serve none (off)"
    case .tooMany(let path): "\(path) has more than \(PublicFolder.fileLimit) files; is it the folder for --public?"
    case .tooLarge(let path):
      "with \(path) the public folder has more than \(PublicFolder.byteLimit >> 20) MiB, which are kept in memory"
    case .oddName(let path): "\(path) has a brace in its name, which an address cannot have here; rename it"
    case .notAFile(let path): "\(path) is neither a file nor a folder; remove it from the public folder"
    case .taken(let file, let route):
      "the public file \(file) clashes with the route \(route); rename the file, or move the surface with "
        + "--surface NAME=PREFIX"
    }
  }
}
