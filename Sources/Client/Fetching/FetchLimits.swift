/// How long, how far and how much one fetch may take. A hostile or broken origin costs this and no more.
public struct FetchLimits: Sendable {
  /// Milliseconds to find the host's addresses, connect, and agree on TLS.
  public var connectMilliseconds: Int64 = 2_000
  /// Milliseconds that one address has before the next is tried beside it.
  public var staggerMilliseconds: Int64 = 250
  /// Milliseconds from the request to the first byte of its answer.
  public var firstByteMilliseconds: Int64 = 5_000
  /// Milliseconds for everything, redirects included.
  public var totalMilliseconds: Int64 = 10_000
  /// Bytes a second that an answer must come with, on the average of ``rateMilliseconds``.
  public var bytesPerSecond: Int64 = 1_024
  /// Milliseconds that an answer may fall behind ``bytesPerSecond``.
  public var rateMilliseconds: Int64 = 5_000
  /// How many redirects are followed.
  public var redirects = 3
  /// Bytes of a body.
  public var bodyBytes = 10 * 1_048_576

  /// The limits of images.md, section 4.
  public init() {}
}
