import JSON

/// What is there of a shop's pictures, and what is not, for its owner.
public struct PictureStatus: Sendable, Equatable {
  /// Some stored files.
  public struct Amount: Sendable, Equatable {
    /// How many.
    public var count = 0
    /// The sum of their lengths.
    public var bytes = 0

    /// None.
    public init() {}

    init(count: Int, bytes: Int) {
      self.count = count
      self.bytes = bytes
    }
  }

  /// A picture that failed.
  public struct Failure: Sendable, Equatable {
    /// Its reference.
    public let reference: String
    /// One clause for the operator.
    public let reason: String
    /// Whether the placeholder stands in its place.
    public let isForGood: Bool
  }

  /// The catalog's version.
  public var version: Int64 = 0
  /// How many pictures the catalog shows.
  public var shown = 0
  /// Those of them whose original is stored.
  public var stored = Amount()
  /// How many are neither stored nor known to have failed.
  public var missing = 0
  /// Those that failed.
  public var failures: [Failure] = []
  /// Sizes that were made of originals.
  public var derived = Amount()
  /// What is stored and shown by nothing.
  public var orphans = Amount()

  /// Nothing.
  public init() {}

  /// The status as JSON.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("version", version)
      json.member("shown", Int64(shown))
      json.key("stored")
      json.write(stored)
      json.member("missing", Int64(missing))
      json.key("failed")
      json.array { json in
        for failure in failures {
          json.object { json in
            json.member("reference", failure.reference)
            json.member("reason", failure.reason)
            json.key("isForGood")
            json.write(failure.isForGood)
          }
        }
      }
      json.key("derived")
      json.write(derived)
      json.key("orphans")
      json.write(orphans)
    }
    return json.bytes
  }

  /// Reads what `json` wrote; nil for anything else.
  init?(_ value: JSONValue) {
    guard let version = value["version"]?.integer, let shown = value["shown"]?.integer,
      let stored = Amount(value["stored"]), let missing = value["missing"]?.integer,
      let failed = value["failed"]?.elements, let derived = Amount(value["derived"]),
      let orphans = Amount(value["orphans"])
    else { return nil }
    self.version = version
    self.shown = Int(clamping: shown)
    self.stored = stored
    self.missing = Int(clamping: missing)
    failures = failed.compactMap { failure in
      guard let reference = failure["reference"]?.text, let reason = failure["reason"]?.text else { return nil }
      return Failure(reference: reference, reason: reason, isForGood: failure["isForGood"] == .bool(true))
    }
    self.derived = derived
    self.orphans = orphans
  }
}

extension PictureStatus.Amount {
  init?(_ value: JSONValue?) {
    guard let count = value?["count"]?.integer, let bytes = value?["bytes"]?.integer else { return nil }
    self.init(count: Int(clamping: count), bytes: Int(clamping: bytes))
  }
}

extension JSONWriter {
  mutating func write(_ amount: PictureStatus.Amount) {
    object { json in
      json.member("count", Int64(amount.count))
      json.member("bytes", Int64(amount.bytes))
    }
  }
}
