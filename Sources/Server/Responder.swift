import HTTP
import Net
import Synchronization

/// A whole request, as an endpoint sees it.
public struct Request: Sendable {
  /// The request line and fields.
  public let head: RequestHead
  /// The body, with any transfer coding taken off; empty when there is none.
  public let body: [UInt8]
  /// Whether the connection is encrypted.
  public let isEncrypted: Bool
  /// The other end of the connection.
  public let peer: SocketAddress
  /// Whether `peer` is a proxy whose word on the client's scheme and host counts.
  public let isFromTrustedProxy: Bool

  /// A request from its parts.
  public init(
    head: RequestHead, body: [UInt8], isEncrypted: Bool, peer: SocketAddress, isFromTrustedProxy: Bool = false
  ) {
    self.head = head
    self.body = body
    self.isEncrypted = isEncrypted
    self.peer = peer
    self.isFromTrustedProxy = isFromTrustedProxy
  }
}

/// Why the server itself answers, before or after an endpoint.
public enum Refusal: Sendable {
  /// The request is not one that an endpoint may see.
  case fault(RequestFault)
  /// A condition of the request does not hold: 412.
  case preconditionFailed
  /// No byte of the range exists in a body of so many bytes: 416.
  case rangeNotSatisfiable(length: Int)
}

/// What becomes of a request's body, decided by the head alone, before a byte of the body is waited for.
public enum BodyAdmission: Sendable {
  /// It is read, up to the server's own limit.
  case usual
  /// It is read, up to so many bytes; more is 413.
  case upTo(Int)
  /// It is not read: this is the answer, and the connection's last. For requests that would be refused anyway, such as an
  /// upload without a token: nobody may have much of it kept in memory before they have said who they are.
  case refused(Response)
}

/// The application above the server: it answers requests, and says how refusals look.
public protocol Responder: Sendable {
  /// Moves on when answers that were given before no longer hold.
  var generation: Generation { get }
  /// Says how much of a request's body is taken. Asked before each body; slow work is awaited elsewhere. Without an
  /// implementation of its own, `usual`.
  func admitBody(of head: RequestHead) async -> BodyAdmission
  /// What its routes are called, by the numbers that answers carry; the first is for those of no route. For the metrics: the
  /// names are known at the start, and none of them comes from a client.
  /// The responder's routes, by the numbers that answers carry: for the log and the metrics.
  var routeNames: [String] { get }
  /// Answers a request. Called on the connection's loop; slow work is awaited elsewhere.
  func respond(to request: Request) async -> Response
  /// The answer to a request that no endpoint sees. `head` is nil when it could not be parsed.
  func response(to refusal: Refusal, head: RequestHead?) -> Response
}

extension Responder {
  /// The server's own limit for every body.
  public func admitBody(of head: RequestHead) async -> BodyAdmission { .usual }
  /// One name for all answers.
  public var routeNames: [String] { ["none"] }
}

/// A number that says which of the answers given so far still hold. Read on every request, moved on by any thread.
public final class Generation: Sendable {
  private let counter = Atomic<UInt64>(0)

  /// Starts at zero.
  public init() {}

  /// The current number.
  public var value: UInt64 { counter.load(ordering: .acquiring) }

  /// Lets go of all answers given so far.
  public func advance() {
    counter.wrappingAdd(1, ordering: .releasing)
  }
}
