import HTTP

/// Since when and until when an origin's answer holds: RFC 9111, section 4.2, within a ``FreshnessPolicy``.
///
/// Both moments are in seconds since 1970, so that they stand in the index and outlive the process.
struct Freshness: Equatable, Sendable {
  /// When the origin made the answer, or last confirmed it: what `Age` counts from.
  var generatedAt: Int64
  /// From this moment on the origin is to be asked again.
  var freshUntil: Int64

  /// What nothing is known of: it is to be asked for.
  static let unknown = Freshness(generatedAt: 0, freshUntil: 0)

  /// A Date further than this from our own clock says that a clock is wrong, and nothing about an age.
  private static let believableSkew: Int64 = 86_400

  /// Two moments as the index has them, held to those that can be written as a date.
  init(generatedAt: Int64, freshUntil: Int64) {
    self.generatedAt = HTTPDate(seconds: generatedAt).seconds
    self.freshUntil = HTTPDate(seconds: freshUntil).seconds
  }

  /// The freshness of an answer.
  ///
  /// - Parameters:
  ///   - exchange: when it was asked for, and when its head was there.
  ///   - earlier: the Cache-Control of the stored answer that this one confirms, which holds on unless this one has its
  ///     own (RFC 9111, section 3.2).
  init(_ head: ResponseHead, in exchange: Exchange, earlier: [UInt8]? = nil, policy: FreshnessPolicy) {
    let now = exchange.receivedAt
    let date = head[.date].flatMap { HTTPDate($0.span, now: now) }?.seconds
    let age = Self.initialAge(head, date: date, in: exchange)
    let lifetime = Self.statedLifetime(head, date: date, earlier: earlier, now: now) ?? policy.silent
    let ideal = now - age + lifetime
    let until = min(max(ideal, now + policy.shortest), now + max(policy.shortest, policy.longest))
    self.init(generatedAt: now - age, freshUntil: until)
  }

  /// When an origin was asked, and when its answer's head was there: seconds since 1970.
  struct Exchange: Sendable {
    let requestedAt: Int64
    let receivedAt: Int64
  }

  /// Whether the origin need not be asked.
  func isFresh(at now: Int64) -> Bool { now < freshUntil }

  /// The corrected initial age of RFC 9111, section 4.2.3.
  private static func initialAge(_ head: ResponseHead, date: Int64?, in exchange: Exchange) -> Int64 {
    let skew = date.map { exchange.receivedAt - $0 } ?? 0
    let apparent = skew <= believableSkew ? max(0, skew) : 0
    let stated = CacheControl.firstDeltaSeconds(in: head.values(of: .age)) ?? 0
    let delay = max(0, exchange.receivedAt - exchange.requestedAt)
    return min(CacheControl.longest, max(apparent, stated + delay))
  }

  /// The lifetime that the origin states, in seconds; nil when it states none.
  private static func statedLifetime(_ head: ResponseHead, date: Int64?, earlier: [UInt8]?, now: Int64) -> Int64? {
    let lines = head.values(of: .cacheControl)
    let control = CacheControl(lines.isEmpty ? [earlier].compactMap { $0 } : lines)
    if control.isNoCache { return 0 }
    if let seconds = control.sharedMaxAge ?? control.maxAge { return seconds }
    let expires = head.values(of: .expires)
    guard !expires.isEmpty else { return nil }
    // One that is no date, such as "0", is past (RFC 9111, section 5.3); of several, the first to come counts.
    let moments = expires.map { HTTPDate($0.span, now: now)?.seconds ?? 0 }
    // Both dates are by the origin's clock, so a wrong one does no harm here.
    return max(0, (moments.min() ?? 0) - (date ?? now))
  }
}
