import HTTP
import JSON
import Server

/// What `serve --dev` adds for whoever builds a front end: a seed folder that is watched, faults on demand, and answers that
/// a page of any origin may read, on a private network too. Nothing of it exists without the flag.
public struct DevelopmentMode: Sendable {
  /// The seed folder to keep in step with.
  public var seedFolder: String
  /// Faults for all requests below a path.
  public var rules: [FaultRule]

  /// A mode with its folder and rules.
  public init(seedFolder: String, rules: [FaultRule]) {
    self.seedFolder = seedFolder
    self.rules = rules
  }

  /// What pages are told: that there is a mode, and which faults are on for everybody.
  func event() -> LiveEvent {
    var json = JSONWriter()
    json.object { json in
      json.member("seed", seedFolder)
      json.member("rules", rules.map { "\(String(decoding: $0.path, as: UTF8.self)) \($0.plan.text)" })
    }
    return LiveEvent(.development, json: json.bytes)
  }
}
