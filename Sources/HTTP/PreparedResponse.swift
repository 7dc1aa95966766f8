/// A response in the form in which it is sent, made once and written any number of times: heads as bytes, but for the
/// fields that change from one request to the next.
public final class PreparedResponse: Sendable {
  /// The response's status.
  public let status: Status
  /// The body of a GET.
  public let body: Response.Body
  /// How many bytes `body` has; 0 for a stream.
  public let bodyCount: Int
  /// See `Response`.
  public let entityTag: EntityTag?
  /// See `Response`.
  public let lastModified: HTTPDate?
  /// See `Response`.
  public let acceptsRanges: Bool
  /// See `Response`.
  public let closesConnection: Bool
  /// See `Response`.
  public let isAbandoned: Bool
  /// See `Response`.
  public let remark: String?
  /// See `Response`.
  public let reuseObserver: (any ReuseObserver)?
  /// Whether the body is a stream.
  public var isStream: Bool { if case .stream = body { true } else { false } }
  /// See `Response`.
  public let route: Int
  /// See `Response`.
  public let isProbe: Bool
  let freshness: Response.Freshness?
  /// See `Response`.
  public let reusableUntil: Int64?
  private let cacheStatus: Response.CacheStatus?
  /// From the status line to the last field that never changes, with Content-Length.
  private let fullHead: [UInt8]
  /// The same without what describes the body, as 304 and 206 have it; empty where neither can be answered.
  private let bodilessFields: [UInt8]
  private let contentType: [UInt8]

  /// Prepares a response.
  public init(_ response: Response) {
    status = response.status
    body = response.body
    bodyCount = response.body.count ?? 0
    entityTag = response.entityTag
    lastModified = response.lastModified
    acceptsRanges = response.acceptsRanges
    closesConnection = response.closesConnection
    isAbandoned = response.isAbandoned
    remark = response.remark
    reuseObserver = response.reuseObserver
    route = response.route
    isProbe = response.isProbe
    freshness = response.freshness
    reusableUntil = response.reusableUntil
    cacheStatus = response.cacheStatus
    let isConditional = status == .ok && (response.entityTag != nil || response.lastModified != nil)

    var type: [UInt8] = []
    var general: [UInt8] = []
    for (name, value) in response.fields {
      if name == .contentType {
        type.appendField(name, value)
      } else if name != .contentEncoding {
        general.appendField(name, value)
      }
    }
    if let tag = response.entityTag { general.appendField("ETag", tag.bytes) }
    if let date = response.lastModified { general.appendField("Last-Modified", date.bytes) }
    if response.acceptsRanges { general.append("Accept-Ranges: bytes\r\n") }
    general.append("Vary: ")
    if let varies = response.varies {
      general.append(varies.written)
      general.append(", ")
    }
    general.append("Origin\r\n")

    var head: [UInt8] = []
    head.reserveCapacity(general.count + type.count + 128)
    head.appendStatusLine(response.status)
    head.append(contentsOf: type)
    for (name, value) in response.fields where name == .contentEncoding {
      head.appendField(name, value)
    }
    // A 204 and a 304 have no Content-Length (RFC 9110, section 8.6).
    if response.status != .noContent, response.status != .notModified, let count = response.body.count {
      head.append("Content-Length: ")
      head.append(decimal: count)
      head.append("\r\n")
    }
    head.append(contentsOf: general)
    fullHead = head
    bodilessFields = isConditional || response.acceptsRanges ? general : []
    contentType = type
  }

  /// Which form of the response a request gets.
  public enum Form: Equatable, Sendable {
    case full
    /// The head of the full form alone, for HEAD.
    case headOnly
    case notModified
    case part(Range<Int>)

    /// The bytes of the body that are sent.
    public func range(ofBody count: Int) -> Range<Int> {
      switch self {
      case .full: 0..<count
      case .headOnly, .notModified: 0..<0
      case .part(let range): range
      }
    }
  }

  /// The status that a form is sent with.
  public func status(of form: Form) -> Status {
    switch form {
    case .full, .headOnly: status
    case .notModified: .notModified
    case .part: .partialContent
    }
  }

  /// Appends the head of a form without the fields that change and without its last line end.
  /// - Parameters:
  ///   - now: Seconds since 1970, for Age and the time left in Cache-Status.
  ///   - microseconds: how long the answer took, for Server-Timing; nil when that is nobody's business.
  public func appendHead(of form: Form, to bytes: inout [UInt8], now: Int64, microseconds: Int64? = nil) {
    switch form {
    case .full, .headOnly:
      bytes.append(contentsOf: fullHead)
    case .notModified:
      bytes.appendStatusLine(.notModified)
      bytes.append(contentsOf: bodilessFields)
    case .part(let range):
      bytes.appendStatusLine(.partialContent)
      bytes.append(contentsOf: contentType)
      bytes.append("Content-Length: ")
      bytes.append(decimal: range.count)
      bytes.append("\r\nContent-Range: bytes ")
      bytes.append(decimal: range.lowerBound)
      bytes.append("-")
      bytes.append(decimal: range.upperBound - 1)
      bytes.append("/")
      bytes.append(decimal: bodyCount)
      bytes.append("\r\n")
      bytes.append(contentsOf: bodilessFields)
    }
    appendAge(to: &bytes, now: now)
    appendServerTiming(to: &bytes, microseconds)
  }

  /// What the cache did, in one word; nil for what does not come out of one.
  public var cacheWord: StaticString? {
    switch cacheStatus {
    case nil: nil
    case .hit: "hit"
    case .miss(_, _, isCollapsed: false): "miss"
    case .miss(_, _, isCollapsed: true): "collapsed"
    case .confirmed: "confirmed"
    case .stale, .revalidating: "stale"
    }
  }

  /// How long the answer took, and what the cache did. The latter is for the page that shows the picture: of the answers to
  /// its own elements, this field (Server Timing, section 3) is all that a page can read.
  private func appendServerTiming(to bytes: inout [UInt8], _ microseconds: Int64?) {
    guard cacheStatus != nil || microseconds != nil else { return }
    bytes.append("Server-Timing: ")
    if let cacheWord {
      bytes.append("cache;desc=")
      bytes.append(cacheWord)
      if microseconds != nil { bytes.append(", ") }
    }
    if let microseconds {
      bytes.append("total;dur=")
      bytes.append(milliseconds: microseconds)
    }
    bytes.append("\r\n")
  }

  private func appendAge(to bytes: inout [UInt8], now: Int64) {
    var timeLeft: Int64?
    if let freshness {
      let age = max(0, now - freshness.storedAt)
      bytes.append("Age: ")
      bytes.append(decimal: Int(age))
      bytes.append("\r\n")
      timeLeft = freshness.lifetime - age
    }
    guard let cacheStatus else { return }
    bytes.append("Cache-Status: banchan")
    switch cacheStatus {
    case .hit:
      bytes.append("; hit")
    case .revalidating:
      bytes.append("; hit; detail=revalidating")
    case .confirmed(let isCollapsed):
      bytes.append("; fwd=stale; fwd-status=304")
      if isCollapsed { bytes.append("; collapsed") }
    case .miss(let originStatus, let isStored, let isCollapsed):
      bytes.append("; fwd=miss")
      if let originStatus {
        bytes.append("; fwd-status=")
        bytes.append(decimal: Int(originStatus))
      }
      if isStored { bytes.append("; stored") }
      if isCollapsed { bytes.append("; collapsed") }
    case .stale(let detail):
      bytes.append("; fwd=stale; detail=")
      bytes.append(contentsOf: detail.utf8)
    }
    if let timeLeft {
      bytes.append("; ttl=")
      bytes.append(decimal: Int(timeLeft))
    }
    bytes.append("\r\n")
  }
}

extension [UInt8] {
  /// Appends an ASCII literal without allocating one.
  public mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a number in decimal digits, a minus before a negative one.
  public mutating func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    var divisor: UInt = 1
    while magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / divisor % 10))
      divisor /= 10
    }
  }

  /// Appends microseconds as milliseconds with three digits behind the point.
  mutating func append(milliseconds microseconds: Int64) {
    let microseconds = Int(Swift.max(0, microseconds))
    append(decimal: microseconds / 1_000)
    append(".")
    let fraction = microseconds % 1_000
    if fraction < 100 { append(fraction < 10 ? "00" : "0") }
    append(decimal: fraction)
  }

  mutating func appendField(_ name: FieldName, _ value: [UInt8]) {
    appendField(name.written, value)
  }

  mutating func appendField(_ name: StaticString, _ value: [UInt8]) {
    append(name)
    append(": ")
    append(contentsOf: value)
    append("\r\n")
  }

  mutating func appendStatusLine(_ status: Status) {
    append("HTTP/1.1 ")
    append(decimal: Int(status.code))
    append(" ")
    append(status.reason)
    append("\r\n")
  }
}
