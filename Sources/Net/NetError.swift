import Glibc

/// What can go wrong between two sockets, in the cases that a caller treats differently.
public enum NetError: Error, Equatable, Sendable {
  /// The operation's deadline passed first.
  case timedOut
  /// This side closed the stream, or is shutting it down.
  case closed
  /// The other side reset the connection, or went away while we were writing.
  case reset
  /// Nobody listens there.
  case refused
  /// No route, or no such network.
  case unreachable
  /// The name has no address; the text is the resolver's own.
  case unresolvable(String)
  /// TLS could not be agreed on, or the certificate does not hold; the text is OpenSSL's own.
  case tls(String)
  /// The other side sent a plain HTTP request where TLS is spoken.
  case plainHTTP
  /// The address is taken by another process.
  case addressInUse
  /// The process or the machine has no descriptor left, or no memory for sockets.
  case exhausted(code: Int32)
  /// Any other failure of a system call: its name and errno.
  case system(call: String, code: Int32)

  /// Sorts an errno into the cases above.
  init(call: String, code: Int32) {
    switch code {
    case ECONNRESET, EPIPE, ECONNABORTED: self = .reset
    case ECONNREFUSED, ENOENT: self = .refused
    case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, ENETDOWN, EHOSTDOWN: self = .unreachable
    case ETIMEDOUT: self = .timedOut
    case EADDRINUSE: self = .addressInUse
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: self = .exhausted(code: code)
    default: self = .system(call: call, code: code)
    }
  }
}

extension NetError: CustomStringConvertible {
  /// One clause for a log line.
  public var description: String {
    switch self {
    case .timedOut: "timed out"
    case .closed: "closed by this side"
    case .reset: "reset by the other side"
    case .refused: "connection refused"
    case .unreachable: "no route to that address"
    case .unresolvable(let reason): "name not resolved (\(reason))"
    case .tls(let reason): "TLS failed (\(reason))"
    case .plainHTTP: "plain HTTP on a TLS port"
    case .addressInUse: "address already in use"
    case .exhausted(let code): "out of descriptors or socket memory (\(systemMessage(code)))"
    case .system(let call, let code): "\(call) failed (\(systemMessage(code)))"
    }
  }
}

/// The system's words for an errno.
public func systemMessage(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
    guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else { return "errno \(code)" }
    return String(cString: base)
  }
}
