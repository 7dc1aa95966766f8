import Catalog
import JSON

/// What `banchan backup` did, as it travels from a running server to the command, and as `--json` prints it.
public struct BackupReport: Equatable, Sendable {
  /// The new backup's folder.
  public let path: String
  /// The catalog's version in it.
  public let version: Int64
  /// How many products it holds.
  public let products: Int
  /// The bytes of its files together.
  public let bytes: Int64
  /// The names of older backups that were removed to make place.
  public let removed: [String]

  /// Makes a backup on a shelf, and removes older ones beyond a number; blocks.
  ///
  /// - Parameter program: the version that makes it.
  public static func afterBackingUp(
    _ store: CatalogStore, on shelf: BackupShelf, keeping count: Int, program: String
  ) throws(BackupError) -> BackupReport {
    let backup = try shelf.add(store, program: program)
    return BackupReport(backup, removed: try shelf.rotate(keeping: count))
  }

  init(_ backup: Backup, removed: [String]) {
    path = backup.path
    version = backup.manifest.catalogVersion
    products = backup.manifest.products
    bytes = backup.manifest.bytes
    self.removed = removed
  }

  /// The report in JSON.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("path", path)
      writer.member("version", version)
      writer.member("products", Int64(products))
      writer.member("bytes", bytes)
      writer.member("removed", removed)
    }
    return writer.bytes
  }

  /// Reads what `json` wrote; nil for anything else.
  init?(json: [UInt8]) {
    guard case .object(let object)? = try? JSONValue(parsing: json), case .string(let path)? = object["path"],
      case .integer(let version)? = object["version"], case .integer(let products)? = object["products"],
      case .integer(let bytes)? = object["bytes"], case .array(let removed)? = object["removed"]
    else { return nil }
    self.path = path
    self.version = version
    self.products = Int(clamping: products)
    self.bytes = bytes
    self.removed = removed.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }
}

extension Backup {
  /// What `banchan backup --list --json` says of it.
  public var json: [UInt8] { BackupReport(self, removed: []).json }
}

extension Restoration.Outcome {
  /// The outcome in JSON.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", version)
      writer.member("products", Int64(products))
      writer.key("previous")
      if let previous { writer.write(previous) } else { writer.writeNull() }
      writer.key("setAside")
      if let setAside { writer.write(setAside) } else { writer.writeNull() }
      writer.key("verified")
      if let isVerified { writer.write(isVerified) } else { writer.writeNull() }
    }
    return writer.bytes
  }

  /// Reads what `json` wrote; nil for anything else.
  init?(json: [UInt8]) {
    guard case .object(let object)? = try? JSONValue(parsing: json), case .integer(let version)? = object["version"],
      case .integer(let products)? = object["products"]
    else { return nil }
    self.version = version
    self.products = Int(clamping: products)
    previous = if case .string(let name)? = object["previous"] { name } else { nil }
    setAside = if case .string(let name)? = object["setAside"] { name } else { nil }
    isVerified = if case .bool(let verified)? = object["verified"] { verified } else { nil }
  }
}
