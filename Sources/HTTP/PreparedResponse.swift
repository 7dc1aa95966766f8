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
  /// - Parameter now: Seconds since 1970, for Age and the time left in Cache-Status.
  public func appendHead(of form: Form, to bytes: inout [UInt8], now: Int64) {
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
    appendServerTiming(to: &bytes)
  }

  /// What the cache did in one word, for the page that shows the picture: of the answers to its own elements, this field
  /// (Server Timing, section 3) is all that a page can read.
  private func appendServerTiming(to bytes: inout [UInt8]) {
    switch cacheStatus {
    case nil: break
    case .hit: bytes.append("Server-Timing: cache;desc=hit\r\n")
    case .miss(_, _, isCollapsed: false): bytes.append("Server-Timing: cache;desc=miss\r\n")
    case .miss(_, _, isCollapsed: true): bytes.append("Server-Timing: cache;desc=collapsed\r\n")
    case .confirmed: bytes.append("Server-Timing: cache;desc=confirmed\r\n")
    case .stale, .revalidating: bytes.append("Server-Timing: cache;desc=stale\r\n")
    }
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
