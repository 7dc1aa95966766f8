import Glibc
import Images
import Server

/// Other limits than the shop's, for tests that cannot wait an hour for a connection to grow old.
///
/// They come from the environment variable `BANCHAN_TEST_LIMITS`, as words such as `idleTime=2000 connections=8`, in
/// the units of `ServerLimits`; `pictureFreshness` is in seconds. No flag, and in no help text: an operator has nothing to gain here.
enum TestLimits {
  private static let variable = "BANCHAN_TEST_LIMITS"

  static func apply(to limits: inout ServerLimits) throws(CommandFailure) {
    for (name, number) in try words() where name != pictureFreshness {
      guard set(name, number, in: &limits) else { throw refusal(of: name) }
    }
  }

  /// How long every picture counts as fresh, whatever its origin says.
  static func apply(to freshness: inout FreshnessPolicy) throws(CommandFailure) {
    for (name, number) in try words() where name == pictureFreshness {
      freshness.shortest = Int64(number)
      freshness.silent = Int64(number)
      freshness.longest = Int64(number)
    }
  }

  private static let pictureFreshness = "pictureFreshness"

  private static func words() throws(CommandFailure) -> [(name: String, number: Int)] {
    guard let value = getenv(variable) else { return [] }
    var words: [(String, Int)] = []
    for word in String(cString: value).split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[1]), number >= 0 else { throw refusal(of: String(word)) }
      words.append((String(parts[0]), number))
    }
    return words
  }

  private static func refusal(of word: String) -> CommandFailure {
    .usage("\(variable) has no limit '\(word)'; it is for tests only, and best not set")
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
