import Catalog
import JSON

/// What an import did, as it travels between a running server and a command.
public struct ImportReport: Equatable, Sendable {
  /// In numbers of products.
  public let summary: ImportSummary
  /// The catalog's version afterwards.
  public let version: Int64

  /// A summary and the version it led to.
  public init(summary: ImportSummary, version: Int64) {
    self.summary = summary
    self.version = version
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("created", Int64(summary.created))
      writer.member("changed", Int64(summary.changed))
      writer.member("unchanged", Int64(summary.unchanged))
      writer.member("hidden", Int64(summary.hidden))
      writer.member("deleted", Int64(summary.deleted))
      writer.key("hasChanges")
      writer.write(summary.hasChanges)
      writer.member("version", version)
    }
    return writer.bytes
  }

  /// Reads what `json` wrote; nil for anything else.
  init?(json: [UInt8]) {
    guard case .object(let object)? = try? JSONValue(parsing: json), case .bool(let hasChanges)? = object["hasChanges"],
      case .integer(let version)? = object["version"]
    else { return nil }
    func number(_ key: String) -> Int {
      if case .integer(let value)? = object[key] { Int(clamping: value) } else { 0 }
    }
    self.version = version
    summary = ImportSummary(
      created: number("created"), changed: number("changed"), unchanged: number("unchanged"),
      hidden: number("hidden"), deleted: number("deleted"), hasChanges: hasChanges)
  }
}
