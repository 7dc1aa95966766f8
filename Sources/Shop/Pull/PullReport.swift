import JSON

/// What a pull has come to.
public struct PullReport: Sendable {
  /// The shop's version that the folder holds now.
  public internal(set) var version: Int64 = 0
  /// How many products the catalog shows.
  public internal(set) var products = 0
  /// How many pictures they have.
  public internal(set) var pictures = 0
  /// How many of these are in the folder.
  public internal(set) var stored = 0
  /// How many files were fetched now, and their bytes.
  public internal(set) var fetched = 0
  /// See `fetched`.
  public internal(set) var fetchedBytes = 0
  /// How many files were removed that nothing refers to any more.
  public internal(set) var removed = 0
  /// What could not be had, by name, and why.
  public internal(set) var failures: [(name: String, reason: String)] = []
  /// Whether the shop stopped answering.
  public internal(set) var isCutShort = false

  /// Whether all that the shop shows is in the folder.
  public var isComplete: Bool { failures.isEmpty && !isCutShort }

  /// The report as JSON.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("version", version)
      json.member("products", Int64(products))
      json.member("pictures", Int64(pictures))
      json.member("stored", Int64(stored))
      json.member("fetched", Int64(fetched))
      json.member("fetchedBytes", Int64(fetchedBytes))
      json.member("removed", Int64(removed))
      json.key("isComplete")
      json.write(isComplete)
      json.key("failures")
      json.array { json in
        for failure in failures {
          json.object { json in
            json.member("name", failure.name)
            json.member("reason", failure.reason)
          }
        }
      }
    }
    return json.bytes
  }
}
