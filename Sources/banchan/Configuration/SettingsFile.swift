import JSON

/// banchan.json: one object whose keys are names of settings.
///
/// It is the file that `--config` or `BANCHAN_CONFIG` names, else the one in the working directory, where `data` and `cache`
/// are too unless somebody says otherwise: so every command that is run there speaks of the same shop. Relative paths in it
/// begin in its own folder, so that the same file means the same from everywhere.
struct SettingsFile {
  static let name = "banchan.json"
  private static let largestSize: Int64 = 1 << 20

  let path: String
  /// What each key holds, as it would be written in a flag.
  let texts: [String: [String]]

  /// The folder that relative paths in it begin in; nil when that is the working directory.
  var folder: String? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return slash == path.startIndex ? "" : String(path[..<slash])
  }

  /// Reads the file, if it is named or there.
  static func read(named: String?) throws(CommandFailure) -> SettingsFile? {
    guard let path = named ?? (Paths.exists(name) ? name : nil) else { return nil }
    return try SettingsFile(path, try Paths.read(path, limit: largestSize))
  }

  init(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
    self.path = path
    let document: JSONValue
    do throws(JSONSyntaxError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw .usage("\(path): \(error)")
    }
    guard case .object(let members) = document else {
      throw .usage("\(path) must be one object such as {\"port\": 8080}")
    }
    let known = Setting.table.map(\.name)
    var texts: [String: [String]] = [:]
    var faults: [String] = []
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let setting = Setting.table.first(where: { $0.name == key }) else {
        faults.append("\(path) has the unknown key \"\(key)\"\(Suggestion.words(for: key, among: known))")
        continue
      }
      guard let written = Self.texts(of: value, isList: setting.kind.isList) else {
        faults.append("\(path): \"\(key)\" takes \(setting.kind.rule), not \(value.summary)")
        continue
      }
      texts[key] = written
    }
    guard faults.isEmpty else { throw .usage(faults.joined(separator: "\nbanchan: ")) }
    self.texts = texts
  }

  private static func texts(of value: JSONValue, isList: Bool) -> [String]? {
    if case .array(let elements) = value {
      guard isList else { return nil }
      let texts = elements.compactMap { text(of: $0) }
      return texts.count == elements.count ? texts : nil
    }
    return text(of: value).map { [$0] }
  }

  private static func text(of value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .null, .number, .array, .object: nil
    }
  }
}
