/// What the conditional fields of a GET or HEAD request make of a representation (RFC 9110, section 13.2.2).
public enum Precondition: Equatable, Sendable {
  /// Answer as if there were no condition.
  case holds
  /// 304: the client has these bytes.
  case notModified
  /// 412
  case fails

  /// Evaluates the fields of `head`, in the order of the RFC, against a representation that exists.
  /// - Parameter now: Seconds since 1970, for two-digit years.
  public init(_ head: RequestHead, entityTag: EntityTag?, lastModified: HTTPDate?, now: Int64) {
    self = .holds
    if head.has(.ifMatch) {
      if !Self.isListed(entityTag, head, .ifMatch, weakly: false) {
        self = .fails
        return
      }
    } else if let lastModified, let date = Self.date(head, .ifUnmodifiedSince, now: now), lastModified > date {
      self = .fails
      return
    }
    if head.has(.ifNoneMatch) {
      if Self.isListed(entityTag, head, .ifNoneMatch, weakly: true) { self = .notModified }
    } else if let lastModified, let date = Self.date(head, .ifModifiedSince, now: now), lastModified <= date {
      self = .notModified
    }
  }

  private static func isListed(_ tag: EntityTag?, _ head: RequestHead, _ name: FieldName, weakly: Bool) -> Bool {
    var isListed = false
    head.forEachValue(of: name) { line in
      if line.equals("*") || tag?.isListed(in: line, weakly: weakly) == true { isListed = true }
    }
    return isListed
  }

  private static func date(_ head: RequestHead, _ name: FieldName, now: Int64) -> HTTPDate? {
    head.withValue(of: name) { HTTPDate($0, now: now) } ?? nil
  }

  /// The range of a representation that a request asks for, with If-Range taken into account (RFC 9110, section 13.1.5).
  public static func range(
    _ head: RequestHead, length: Int, entityTag: EntityTag?, lastModified: HTTPDate?, now: Int64
  ) -> ByteRange {
    guard head.method == .get else { return .whole }
    var lines = 0
    head.forEachValue(of: .range) { _ in lines += 1 }
    guard lines == 1 else { return .whole }
    let isCurrent = head.withValue(of: .ifRange) { condition in
      if let tag = EntityTag(condition) { return !tag.isWeak && tag == entityTag }
      guard let date = HTTPDate(condition, now: now) else { return false }
      return date == lastModified
    }
    guard isCurrent ?? true else { return .whole }
    return head.withValue(of: .range) { ByteRange($0, length: length) } ?? .whole
  }
}
