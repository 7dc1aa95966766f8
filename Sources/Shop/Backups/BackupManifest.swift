import Catalog
import Images
import JSON
import Text

/// What a backup says of itself, in its `manifest.json`.
public struct BackupManifest: Equatable, Sendable {
  /// A file of the backup.
  public struct File: Equatable, Sendable {
    /// Its path from the backup's folder.
    public let path: String
    /// Its length in bytes.
    public let bytes: Int64
    /// The SHA-256 of its bytes.
    public let digest: Digest
  }

  /// The layout that this program writes.
  static let layout = 1
  static let fileName = "manifest.json"

  /// Seconds since 1970, UTC.
  public let createdAt: Int64
  /// The program that made it, such as `0.1.0`.
  public let program: String
  /// The catalog's version.
  public let catalogVersion: Int64
  /// How many products it has, hidden ones included.
  public let products: Int
  /// Everything in the backup but this manifest.
  public let files: [File]

  /// The bytes of all files together.
  public var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }

  /// The manifest as it is written.
  var json: [UInt8] {
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      writer.member("kind", "banchan-backup")
      writer.member("layout", Int64(Self.layout))
      writer.member("createdAt", createdAt)
      writer.member("program", program)
      writer.member("catalogVersion", catalogVersion)
      writer.member("products", Int64(products))
      writer.key("files")
      writer.array { writer in
        for file in files {
          writer.object { writer in
            writer.member("path", file.path)
            writer.member("bytes", file.bytes)
            writer.member("sha256", file.digest.hex)
          }
        }
      }
    }
    writer.finishFile()
    return writer.bytes
  }

  init(createdAt: Int64, program: String, catalogVersion: Int64, products: Int, files: [File]) {
    self.createdAt = createdAt
    self.program = program
    self.catalogVersion = catalogVersion
    self.products = products
    self.files = files
  }

  /// Reads what `json` wrote.
  ///
  /// - Throws: `BackupError.notABackup` for anything else, `newer` for a later layout.
  init(parsing json: [UInt8], of path: String) throws(BackupError) {
    guard case .object(let object)? = try? JSONValue(parsing: json), object["kind"] == .string("banchan-backup"),
      case .integer(let layout)? = object["layout"]
    else { throw .notABackup(path: path) }
    guard layout <= Self.layout else { throw .newer(path: path, layout: Int(clamping: layout)) }
    guard case .integer(let createdAt)? = object["createdAt"], case .string(let program)? = object["program"],
      case .integer(let version)? = object["catalogVersion"], case .integer(let products)? = object["products"],
      case .array(let list)? = object["files"]
    else { throw .notABackup(path: path) }
    var files: [File] = []
    for entry in list {
      guard case .object(let entry) = entry, case .string(let file)? = entry["path"], Self.isInside(file),
        case .integer(let bytes)? = entry["bytes"], case .string(let hex)? = entry["sha256"],
        let digest = Digest(hex: hex.utf8)
      else { throw .notABackup(path: path) }
      files.append(File(path: file, bytes: bytes, digest: digest))
    }
    self.init(
      createdAt: createdAt, program: program, catalogVersion: version, products: Int(clamping: products), files: files)
  }

  /// Whether a path stays in the backup's folder.
  private static func isInside(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }
}
