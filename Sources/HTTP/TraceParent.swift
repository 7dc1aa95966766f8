/// What a caller says of the trace that its request belongs to: the field `traceparent` of W3C Trace Context.
public struct TraceParent: Equatable, Sendable {
  /// The trace's 16 bytes, as two words.
  public let trace: (high: UInt64, low: UInt64)
  /// The caller's span.
  public let parent: UInt64
  /// Whether the caller keeps what is recorded.
  public let isSampled: Bool

  /// Compares all parts.
  public static func == (left: TraceParent, right: TraceParent) -> Bool {
    left.trace == right.trace && left.parent == right.parent && left.isSampled == right.isSampled
  }

  /// The length of a field of version 00; a later one may be longer.
  private static let length = 55

  /// Reads a field's value (section 3.2 of the standard); nil when it must be ignored: a version of ff, digits that are none
  /// or in upper case, an identifier of zeros, another length.
  public init?(_ value: Span<UInt8>) {
    let dash = UInt8(ascii: "-")
    guard value.count >= Self.length, value[2] == dash, value[35] == dash, value[52] == dash else { return nil }
    guard let version = Self.number(value, 0..<2), version != 0xff,
      let high = Self.number(value, 3..<19), let low = Self.number(value, 19..<35),
      let parent = Self.number(value, 36..<52), let flags = Self.number(value, 53..<55)
    else { return nil }
    guard value.count == Self.length || (version > 0 && value[Self.length] == dash) else { return nil }
    guard high | low != 0, parent != 0 else { return nil }
    trace = (high, low)
    self.parent = parent
    isSampled = flags & 1 == 1
  }

  private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
    var number: UInt64 = 0
    for index in range {
      let byte = text[index]
      guard byte.isDigit || byte &- 0x61 < 6, let digit = byte.hexValue else { return nil }
      number = number << 4 | UInt64(digit)
    }
    return number
  }
}

extension RequestHead {
  /// The trace that the request belongs to; nil without one, and when it is told twice.
  public var traceParent: TraceParent? {
    var found: TraceParent?
    var lines = 0
    forEachValue(of: .traceparent) { value in
      lines += 1
      found = TraceParent(value)
    }
    return lines == 1 ? found : nil
  }
}
