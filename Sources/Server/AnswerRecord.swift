import HTTP

/// What became of one request, for whoever watches a server work.
public struct AnswerRecord: Sendable {
  /// How an answer ended.
  public enum End: Sendable {
    /// All of it was sent; of a stream, its head.
    case whole
    /// The connection ended in the middle of it.
    case brokenOff
    /// The connection was closed instead of it.
    case abandoned
  }

  /// The method as it was written, at most 32 bytes of it; empty when the request could not be parsed.
  public let method: [UInt8]
  /// The target as it was written; empty when the request could not be parsed.
  public let target: [UInt8]
  /// The status that was sent; that of an abandoned answer was not.
  public let status: Status
  /// How many bytes the body has in the form in which it was sent; 0 for a stream.
  public let bytes: Int
  /// How long it took.
  public let microseconds: Int64
  /// How it ended.
  public let end: End
  /// What the responder had to say of this answer.
  public let remark: String?

  init(
    _ head: RequestHead?, _ answer: PreparedResponse, _ form: PreparedResponse.Form, microseconds: Int64, end: End
  ) {
    method = Array(head?.methodName.prefix(32) ?? [])
    target = head?.withTarget { target in target.withUnsafeBytes { Array($0) } } ?? []
    status = answer.status(of: form)
    bytes = form.range(ofBody: answer.bodyCount).count
    self.microseconds = microseconds
    self.end = end
    remark = answer.remark
  }
}
