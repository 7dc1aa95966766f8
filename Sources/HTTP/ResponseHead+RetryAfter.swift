extension ResponseHead {
  /// How many seconds the origin asks to be left alone (RFC 9110, section 10.2.3), from a number or a date; never
  /// negative, nil when it does not say.
  /// - Parameter now: Seconds since 1970.
  public func retryAfter(now: Int64) -> Int? {
    guard let text = self[.retryAfter] else { return nil }
    if let seconds = text.span.decimal(0..<text.count) { return seconds }
    return HTTPDate(text.span, now: now).map { Int(clamping: max(0, $0.seconds - now)) }
  }
}
