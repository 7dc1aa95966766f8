import Glibc
import Synchronization

/// Turns host names into addresses, on blocking threads of its own.
public struct Resolver: Sendable {
  /// Finds the addresses of a host; may block.
  public typealias LookUp = @Sendable (_ host: String, _ port: UInt16) -> Result<[SocketAddress], NetError>

  private let threads: BlockingThreads
  private let lookUp: LookUp

  /// A resolver that asks the system for at most `limit` names at a time.
  public init(limit: Int = 4) {
    self.init(limit: limit) { host, port in Self.systemLookUp(host, port: port) }
  }

  /// A resolver that asks `lookUp`.
  public init(limit: Int = 4, lookUp: @escaping LookUp) {
    threads = BlockingThreads(limit: limit)
    self.lookUp = lookUp
  }

  /// The addresses of a host in the order the system prefers them (RFC 6724), each once; an address as text stands for
  /// itself and is not looked up.
  /// - Throws: `NetError.unresolvable` with the resolver's words, `.timedOut` when the deadline passes first.
  public func addresses(
    of host: String, port: UInt16, on loop: EventLoop, deadline: Deadline
  ) async throws(NetError) -> [SocketAddress] {
    if let literal = IPAddress(host) { return [SocketAddress(literal, port: port)] }
    let answer = Answer()
    threads.submit { [lookUp] in answer.settle(lookUp(host, port)) }
    return try await answer.value(on: loop, deadline: deadline).get()
  }

  private static func systemLookUp(_ host: String, port: UInt16) -> Result<[SocketAddress], NetError> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, nil, &hints, &list)
    guard result == 0 else { return .failure(.unresolvable(String(cString: gai_strerror(result)))) }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next {
      var storage = sockaddr_storage()
      let length = min(Int(entry.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
      if let address = entry.pointee.ai_addr {
        withUnsafeMutableBytes(of: &storage) {
          $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
        }
      }
      if let address = SocketAddress(storage) {
        let withPort = SocketAddress(address.address, port: port)
        if !found.contains(withPort) { found.append(withPort) }
      }
      next = entry.pointee.ai_next
    }
    return found.isEmpty ? .failure(.unresolvable("no address")) : .success(found)
  }

  /// The one answer that a look-up and a deadline race for: getaddrinfo cannot be interrupted, so a late one is dropped.
  private final class Answer: Sendable {
    private typealias Outcome = Result<[SocketAddress], NetError>
    private enum State {
      case pending
      case awaited(UnsafeContinuation<Outcome, Never>)
      case settled(Outcome)
    }
    private let state = Mutex(State.pending)

    func settle(_ outcome: Result<[SocketAddress], NetError>) {
      let waiting: UnsafeContinuation<Outcome, Never>? = state.withLock { state in
        switch state {
        case .pending:
          state = .settled(outcome)
          return nil
        case .awaited(let continuation):
          state = .settled(outcome)
          return continuation
        case .settled:
          return nil
        }
      }
      waiting?.resume(returning: outcome)
    }

    func value(on loop: EventLoop, deadline: Deadline) async -> Result<[SocketAddress], NetError> {
      let timer = Task(executorPreference: loop) {
        await loop.sleep(until: deadline)
        self.settle(.failure(.timedOut))
      }
      defer { timer.cancel() }
      return await withUnsafeContinuation { continuation in
        let settled: Outcome? = state.withLock { state in
          if case .settled(let outcome) = state { return outcome }
          state = .awaited(continuation)
          return nil
        }
        if let settled { continuation.resume(returning: settled) }
      }
    }
  }
}
