/// A body that is read piece by piece while it is sent, such as a large file.
public protocol BodySource: Sendable {
  /// All its bytes.
  var count: Int { get }
  /// Reads a part of it; fewer bytes than asked for mean that it broke.
  func bytes(_ range: Range<Int>) async -> [UInt8]
  /// How many bytes are read and sent at a time.
  var pieceLength: Int { get }
}

extension BodySource {
  /// 256 KiB: few reads, and little memory for a client that takes its time.
  public var pieceLength: Int { 256 * 1024 }
}

/// A body whose end nobody knows when it begins, such as a stream of events.
///
/// It is sent in chunks over HTTP/1.1, and until the connection closes over 1.0. As long as it goes on the connection's
/// life is not limited; a client that takes nothing for a while loses it all the same. The stream is let go when the last
/// piece was sent, or when the client is gone.
public protocol BodyStream: Sendable {
  /// Waits for the next piece; nil at the end. The head goes out together with the first one.
  func next() async -> [UInt8]?
}

/// Told each time that an answer is given again without its responder's being asked. Called on event loops, for each request:
/// it must cost next to nothing.
public protocol ReuseObserver: Sendable {
  /// The answer was given again.
  func answerWasReused()
}

/// An answer as an endpoint gives it: what is said, not yet how it is sent.
///
/// `Date`, `Content-Length`, `Connection`, `Vary: Origin` and the CORS fields are added while it is written; conditions
/// and ranges are applied there too.
public struct Response: Sendable {
  /// What follows the head.
  public enum Body: Sendable {
    case empty
    case bytes([UInt8])
    case source(any BodySource)
    case stream(any BodyStream)

    /// Its length in bytes; nil for a stream.
    public var count: Int? {
      switch self {
      case .empty: 0
      case .bytes(let bytes): bytes.count
      case .source(let source): source.count
      case .stream: nil
      }
    }
  }

  /// How a cached thing came to be answered (RFC 9211).
  public enum CacheStatus: Sendable, Equatable {
    /// From the cache, without contact.
    case hit
    /// The same, though it is stale: the origin is being asked behind this answer.
    case revalidating
    /// Stale, and the origin has just confirmed it.
    case confirmed(isCollapsed: Bool)
    /// Fetched for this request, or together with others that asked at the same time.
    case miss(originStatus: UInt16?, isStored: Bool, isCollapsed: Bool)
    /// From the cache although the origin should have been asked; why it could not.
    case stale(detail: String)
  }

  /// When something that is kept was stored, and for how long it is fresh, both in seconds.
  public struct Freshness: Sendable, Equatable {
    /// Seconds since 1970.
    public let storedAt: Int64
    /// Seconds of freshness from then on.
    public let lifetime: Int64

    /// A moment and a lifetime.
    public init(storedAt: Int64, lifetime: Int64) {
      self.storedAt = storedAt
      self.lifetime = lifetime
    }
  }

  /// The status.
  public var status: Status
  /// The fields, in the order in which they are written.
  public private(set) var fields: [(name: FieldName, value: [UInt8])] = []
  /// The body of a GET; HEAD leaves it out.
  public var body: Body
  /// The strong name of the body's bytes.
  public var entityTag: EntityTag?
  /// When the body last changed.
  public var lastModified: HTTPDate?
  /// Whether parts of the body may be asked for.
  public var acceptsRanges = false
  /// The request field besides Origin that the answer depends on.
  public var varies: FieldName?
  /// What the cache did, for answers out of one.
  public var cacheStatus: CacheStatus?
  /// Age and lifetime, for answers out of a cache.
  public var freshness: Freshness?
  /// Whether a loop may give this answer again, to the same target, host, scheme and coding, until the responder's
  /// generation moves on.
  public var isReusable = false
  /// Who is told when this answer is given again.
  public var reuseObserver: (any ReuseObserver)?
  /// Which of the responder's routes gave the answer, for the log and the metrics; 0 for none.
  public var route = 0
  /// Whether the request is one that machines repeat all the time to see how the server does, such as a health check.
  public var isProbe = false
  /// From when on a reusable answer is to be made anew, in seconds since 1970; nil when only the generation says so.
  public var reusableUntil: Int64?
  /// Whether the connection ends after this answer.
  public var closesConnection = false
  /// What the responder has to say of this answer to whoever watches the server; clients do not hear of it.
  public var remark: String?
  /// Whether the connection ends instead of this answer, of which no byte is sent.
  public var isAbandoned = false

  /// A response with a status and a body.
  public init(_ status: Status, body: Body = .empty) {
    self.status = status
    self.body = body
  }

  /// Adds a field. A byte that must not stand in a value becomes a space.
  public mutating func add(_ name: FieldName, _ value: String) {
    add(name, bytes: Array(value.utf8))
  }

  /// Takes a field out, however often it is there.
  public mutating func remove(_ name: FieldName) {
    fields.removeAll { $0.name == name }
  }

  /// Adds a field of bytes. A byte that must not stand in a value becomes a space.
  public mutating func add(_ name: FieldName, bytes: [UInt8]) {
    let clean = bytes.allSatisfy { $0.isFieldCharacter }
    fields.append((name, clean ? bytes : bytes.map { $0.isFieldCharacter ? $0 : Octet.space }))
  }
}
