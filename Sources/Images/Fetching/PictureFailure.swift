import Client
import HTTP

/// Why a picture cannot be shown, in the cases that clients are told apart (images.md, section 4; schema.md, section 3).
public enum PictureFailure: Error, Equatable, Sendable {
  /// The catalog's reference is no URL, or a relative path without an origin base.
  case reference(URLFault)
  /// It is not stored, and no origin is contacted (`--offline`).
  case offline
  /// The origin says 404.
  case notFound
  /// The origin says 410.
  case gone
  /// The origin answered with something that is no picture; the word says what.
  case notAPicture(String)
  /// A kind that is not served.
  case unsupported(PictureFormat)
  /// The body is larger than this many bytes.
  case tooLarge(limit: Int)
  /// No address, nobody there, TLS failed, an address that is not spoken to.
  case unreachable(String)
  /// No answer in time, or too slow a one.
  case timedOut(String)
  /// The origin's host stands where nothing is fetched from, or a redirect leads there.
  case forbiddenAddress(String)
  /// An answer that holds and leads to no picture: 401, 403 and their like, a redirect that is not followed.
  case unusable(String)
  /// An answer that does not hold: 5xx, broken framing, an end before the end.
  case broken(String)
  /// The origin asks to be left alone, or too much is waiting for it already. Seconds, 1 to 300.
  case busy(retryAfter: Int)
  /// This server has no descriptor or memory for another connection.
  case overloaded
  /// Its sizes cannot be made, as it cannot be decoded; why not.
  case undecodable(String)
  /// It is not offered in that size and format.
  case notOffered(NotOffered)
  /// Too many pictures wait for their sizes to be made.
  case queueFull

  /// Why a picture is not offered in a size and format.
  public enum NotOffered: Equatable, Sendable {
    /// Sizes of that kind are not made, and the original is too large to take their place.
    case kind(PictureFormat)
    /// As PNG, which is for transparent pictures.
    case opaque
  }

  /// The status of the answer.
  public var status: Status {
    switch self {
    case .notFound: .notFound
    case .gone: .gone
    case .unsupported, .notOffered: .unsupportedMediaType
    case .undecodable: .unprocessableContent
    case .timedOut: .gatewayTimeout
    case .busy, .overloaded, .queueFull: .serviceUnavailable
    case .reference, .offline, .notAPicture, .tooLarge, .unreachable, .forbiddenAddress, .unusable, .broken:
      .badGateway
    }
  }

  /// The problem code of the answer.
  public var code: String {
    switch self {
    case .notFound: "picture-not-found"
    case .gone: "picture-gone"
    case .unsupported, .notOffered: "picture-unsupported"
    case .undecodable: "picture-undecodable"
    case .tooLarge: "picture-too-large"
    case .timedOut: "origin-timeout"
    case .busy: "origin-busy"
    case .overloaded, .queueFull: "overloaded"
    case .reference, .offline, .unreachable, .forbiddenAddress: "origin-unreachable"
    case .notAPicture, .unusable, .broken: "origin-error"
    }
  }

  /// Seconds for a `Retry-After` field, where the answer has one.
  public var retryAfter: Int? {
    switch self {
    case .busy(let seconds): seconds
    case .overloaded, .queueFull: 1
    default: nil
    }
  }

  /// Whether asking again is not expected to help: lists then show the placeholder in the picture's place.
  public var isForGood: Bool {
    switch self {
    case .notFound, .gone, .notAPicture, .unsupported, .undecodable: true
    default: false
    }
  }

  /// For how many milliseconds it is answered again without asking the origin.
  var keptMilliseconds: Int64 {
    switch self {
    case .unreachable, .timedOut, .forbiddenAddress, .unusable, .broken: 5_000
    case .notFound, .gone, .notAPicture, .unsupported: 60_000
    case .tooLarge: 600_000
    case .busy(let seconds): Int64(seconds) * 1_000
    // What has to do with sizes is remembered by what makes them.
    case .reference, .offline, .overloaded, .undecodable, .notOffered, .queueFull: 0
    }
  }
}

extension PictureFailure: CustomStringConvertible {
  /// One clause for a problem's detail. A client learns what happened, and nothing of where the origin is.
  public var description: String {
    switch self {
    case .reference: "the catalog's reference to the picture cannot be fetched"
    case .offline: "the picture is not stored, and no origin is contacted while offline"
    case .notFound: "the origin has no such picture"
    case .gone: "the origin has removed the picture"
    case .notAPicture(let kind): "the origin answered with \(kind) instead of a picture"
    case .unsupported(let format): "pictures of type \(format.mediaType) are not served"
    case .tooLarge(let limit): "the picture is larger than \(limit) bytes"
    case .unreachable, .forbiddenAddress: "no connection to the origin"
    case .timedOut: "no answer from the origin in time"
    case .unusable, .broken: "an answer from the origin that cannot be used"
    case .busy(let seconds): "the origin is busy; try again in \(seconds) s"
    case .overloaded: "this server has no room for another connection"
    case .undecodable(let reason): "the picture cannot be shown in other sizes: \(reason)"
    case .notOffered(.kind(let format)):
      "no sizes are made of pictures of type \(format.mediaType), and this one is too large as it is"
    case .notOffered(.opaque): "the picture has no transparency, so there is no PNG of it; ask for .jpg or .webp"
    case .queueFull: "too many pictures are waiting for their sizes to be made"
    }
  }

  /// One clause for a log line, with everything that is known.
  public var reason: String {
    switch self {
    case .unreachable(let reason), .timedOut(let reason), .forbiddenAddress(let reason), .unusable(let reason),
      .broken(let reason):
      reason
    case .reference(let fault): "\(self): \(fault)"
    default: description
    }
  }
}

extension PictureFailure {
  /// What a failed fetch means (the rows of images.md, section 4, with nothing stored).
  init(_ error: FetchError) {
    switch error {
    // DNS failure, refused, TLS failure.
    case .unresolvable, .unreachable, .tls: self = .unreachable("\(error)")
    case .addressRefused: self = .forbiddenAddress("\(error)")
    // Timeout, or below 1 KiB/s.
    case .timedOut, .tooSlow: self = .timedOut("\(error)")
    // Over a limit.
    case .tooLarge(let limit): self = .tooLarge(limit: limit)
    // Length mismatch, early close, bad chunk.
    case .head, .chunks, .closedEarly, .surplus: self = .broken("\(error)")
    // 3xx to a refused URL, loop, downgrade.
    case .tooManyRedirects, .redirectLoop, .redirectDowngrade, .redirectURL: self = .unusable("\(error)")
    case .exhausted: self = .overloaded
    }
  }

  /// What a status without a picture means; nil for those that carry one.
  init?(_ head: ResponseHead, now: Int64) {
    switch head.status {
    case 200, 206: return nil
    case 204: self = .notAPicture("nothing")
    case 404: self = .notFound
    case 410: self = .gone
    case 429, 503:
      // With Retry-After it is a wish to be left alone, without it an error like any other.
      guard let seconds = head.retryAfter(now: now) else { fallthrough }
      self = .busy(retryAfter: min(300, max(1, seconds)))
    case 500...: self = .broken("the origin answered with status \(head.status)")
    default: self = .unusable("the origin answered with status \(head.status)")
    }
  }
}

extension PictureFailure {
  /// What the failure says of the origin. Answers that hold say that it is there, whatever they are.
  var verdict: CircuitBreaker.Verdict {
    switch self {
    case .unreachable, .timedOut, .broken: .failing
    case .busy(let seconds): .busy(seconds: seconds)
    case .notFound, .gone, .notAPicture, .unsupported, .tooLarge, .unusable: .alive
    // A redirect to an inner address is an answer, an origin there is never asked; which it was, nobody needs to know.
    case .forbiddenAddress, .reference, .offline, .overloaded, .undecodable, .notOffered, .queueFull: .unknown
    }
  }
}
