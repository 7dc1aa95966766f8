import JSON

/// How far the last pull came: what `state.json` holds.
struct PullState: Equatable, Sendable {
  /// The shop that was pulled.
  var shop: String
  /// The entity tag of `catalog.json`, for asking whether it has changed.
  var catalogTag: String?
  /// Whether everything of that version is in the folder.
  var isComplete = false

  init(shop: String) { self.shop = shop }

  /// Reads `state.json`; nil for anything else.
  init?(file: [UInt8]) {
    guard let value = try? JSONValue(parsing: file), let shop = value["shop"]?.text else { return nil }
    self.shop = shop
    catalogTag = value["catalogTag"]?.text
    isComplete = value["isComplete"] == .bool(true)
  }

  var file: [UInt8] {
    var json = JSONWriter(.pretty)
    json.object { json in
      json.member("shop", shop)
      json.key("catalogTag")
      json.write(orNull: catalogTag)
      json.key("isComplete")
      json.write(isComplete)
    }
    json.finishFile()
    return json.bytes
  }
}
