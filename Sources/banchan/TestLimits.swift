import Glibc
import Server

/// Other limits than the shop's, for tests that cannot wait an hour for a connection to grow old.
///
/// They come from the environment variable `BANCHAN_TEST_LIMITS`, as words such as `idleTime=2000 connections=8`, in
/// the units of `ServerLimits`. No flag, and in no help text: an operator has nothing to gain here.
enum TestLimits {
  private static let variable = "BANCHAN_TEST_LIMITS"

  static func apply(to limits: inout ServerLimits) throws(CommandFailure) {
    guard let value = getenv(variable) else { return }
    for word in String(cString: value).split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[1]), number >= 0, set(String(parts[0]), number, in: &limits) else {
        throw .usage("\(variable) has no limit '\(word)'; it is for tests only, and best not set")
      }
    }
  }

  private static func set(_ name: String, _ value: Int, in limits: inout ServerLimits) -> Bool {
    if let time = times[name] {
      limits[keyPath: time] = Int64(value)
    } else if let count = counts[name] {
      limits[keyPath: count] = value
    } else {
      return false
    }
    return true
  }

  private static var times: [String: WritableKeyPath<ServerLimits, Int64>] {
    [
      "headTime": \.headTime, "bodyStall": \.bodyStall, "idleTime": \.idleTime, "life": \.life,
      "sendStall": \.sendStall, "lingerTime": \.lingerTime, "handshakeTime": \.handshakeTime,
      "drainTime": \.drainTime,
    ]
  }

  private static var counts: [String: WritableKeyPath<ServerLimits, Int>] {
    ["connections": \.connections, "connectionsPerAddress": \.connectionsPerAddress, "body": \.request.body]
  }
}
