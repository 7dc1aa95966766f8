import HTTP

/// How long and how much a server bears with its clients. Times are in milliseconds.
public struct ServerLimits: Sendable {
  /// Sizes of heads and bodies.
  public var request = RequestLimits()
  /// TLS, from accepting to the end of the handshake.
  public var handshakeTime: Int64 = 10_000
  /// A head, from its first byte to its last.
  public var headTime: Int64 = 10_000
  /// A body, between two bytes.
  public var bodyStall: Int64 = 5_000
  /// A connection without a request under way; above the 60 s of common load balancers.
  public var idleTime: Int64 = 75_000
  /// A connection's life: after that, its next answer is its last; after twice that, nothing is waited for any more,
  /// however a client drips.
  public var life: Int64 = 3_600_000
  /// An answer, between two bytes that the client takes.
  public var sendStall: Int64 = 10_000
  /// While the server stops: how long a connection without a request under way may still bring one.
  public var drainTime: Int64 = 500
  /// After an early answer: how long, and how many bytes, of an unread request are passed over before closing.
  public var lingerTime: Int64 = 2_000
  /// See `lingerTime`.
  public var lingerBytes = 1 << 20
  /// Connections at a time, over all loops.
  public var connections = 4_096
  /// Connections of one IPv4 address, or one IPv6 network of 64 bits, at a time.
  public var connectionsPerAddress = 256
  /// Whether this machine's own connections are not counted by address.
  public var exemptsLoopback = true
  /// Bytes of all bodies together that are being read or answered; more are told to come again.
  public var bodies = 64 << 20
  /// The pause after running out of descriptors; doubles up to ten times itself.
  public var acceptPause: Int64 = 100

  /// The limits of the shop.
  public init() {}
}
