import JSON

/// How far the warming of a running shop is, as clients and commands are told.
public struct WarmingProgress: Sendable, Equatable {
  /// The catalog's version at that moment.
  public let version: Int64
  /// How many pictures there are to have.
  public let total: Int
  /// How many are stored.
  public let stored: Int
  /// How many cannot be had for now.
  public let failed: Int
  /// Whether it is going on.
  public let isWarming: Bool

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("version", version)
      json.member("total", Int64(total))
      json.member("stored", Int64(stored))
      json.member("failed", Int64(failed))
      json.key("isWarming")
      json.write(isWarming)
    }
    return json.bytes
  }
}

extension LiveEvent {
  static func pictures(_ progress: WarmingProgress) -> LiveEvent { LiveEvent(.pictures, json: progress.json) }
}
