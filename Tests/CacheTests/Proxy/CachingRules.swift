import Client
@testable import HTTP

@testable import Images

/// RFC 9111 for a shared cache that keeps all kinds of answers: which may be stored, and which may be used without asking.
/// What a freshness lifetime is, how old an answer is and what a 304 does to it are the product's own code.
enum CachingRules {
  /// Whether an answer to GET may be stored (section 3).
  static func mayStore(_ request: Fields, _ status: Int, _ answer: Fields) -> Bool {
    let control = CacheControl(answer.values(of: "cache-control"))
    guard status >= 200, status != 206, status != 304, control.mayBeStored else { return false }
    guard !answer.elements(of: "vary").contains("*") else { return false }
    if request.has("authorization"), !control.isPublic, !control.mustRevalidate, control.sharedMaxAge == nil {
      return false
    }
    let isExplicit = control.maxAge != nil || control.sharedMaxAge != nil || answer.has("expires")
    return isExplicit || control.isPublic || heuristic.contains(status)
  }

  /// The statuses that may be given again without a word on how long (RFC 9110, section 15.1).
  private static let heuristic: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

  /// No bounds but those of the RFC, and a tenth of its age for what has not changed for long (section 4.2.2).
  static func policy(_ status: Int, _ answer: Fields, now: Int64) -> FreshnessPolicy {
    var policy = FreshnessPolicy()
    policy.shortest = 0
    policy.longest = CacheControl.longest
    policy.silent = 0
    let control = CacheControl(answer.values(of: "cache-control"))
    if heuristic.contains(status) || control.isPublic,
      let changed = answer.values(of: "last-modified").first.flatMap({ HTTPDate($0.span, now: now) })
    {
      let date = answer.values(of: "date").first.flatMap { HTTPDate($0.span, now: now) }?.seconds ?? now
      policy.silent = max(0, date - changed.seconds) / 10
    }
    return policy
  }

  /// Whether a stale answer may be given when its origin fails (section 4.2.4).
  static func maySurvive(_ record: SourceRecord) -> Bool {
    let control = control(of: record)
    return !control.mustRevalidate && !control.isNoCache && control.sharedMaxAge == nil
  }

  /// Whether a stale answer may be given while the origin is asked behind it (RFC 5861, section 3).
  static func mayBeGivenMeanwhile(_ record: SourceRecord, now: Int64) -> Bool {
    guard maySurvive(record), let window = seconds("stale-while-revalidate", in: record.cacheControl) else {
      return false
    }
    return now < record.freshness.freshUntil + window
  }

  private static func control(of record: SourceRecord) -> CacheControl {
    CacheControl([record.cacheControl].compactMap { $0 })
  }

  private static func seconds(_ name: String, in control: [UInt8]?) -> Int64? {
    guard let control else { return nil }
    var seconds: Int64?
    control.span.forEachListElement { range in
      let parts = control[range].split(separator: UInt8(ascii: "="), maxSplits: 1)
      if parts.count == 2, parts[0].map(\.lowercased) == Array(name.utf8) {
        seconds = CacheControl.deltaSeconds(Array(parts[1]).span)
      }
      return true
    }
    return seconds
  }
}
