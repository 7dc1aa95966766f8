import Net

/// Opens connections: finds a host's addresses, asks the rules about each, and lets those that are allowed race.
struct Connector: Sendable {
  let rules: AddressRules
  let tls: TLSClientContext
  let resolver: Resolver
  let limits: FetchLimits

  /// Connects to `origin`, and agrees on TLS where its scheme wants it.
  ///
  /// A connection that is refused or reset is tried once more, with addresses looked up anew: an origin that restarts
  /// behind a balancer is the common case. What took its time is not.
  func connect(to origin: Origin, on loop: EventLoop, patience: Patience) async throws(FetchError) -> ClientConnection {
    let (deadline, timeout) = patience.deadline(on: loop, step: (limits.connectMilliseconds, .connecting))
    do throws(FetchError) {
      return try await attempt(origin, on: loop, deadline: deadline, timeout: timeout)
    } catch {
      guard case .unreachable = error, deadline > loop.deadline(in: 0) else { throw error }
      return try await attempt(origin, on: loop, deadline: deadline, timeout: timeout)
    }
  }

  private func attempt(
    _ origin: Origin, on loop: EventLoop, deadline: Deadline, timeout: FetchError
  ) async throws(FetchError) -> ClientConnection {
    let addresses = try await addresses(of: origin, on: loop, deadline: deadline, timeout: timeout)
    let stream = try await connect(origin, addresses, on: loop, deadline: deadline, timeout: timeout)
    stream.deadline = deadline
    if origin.scheme == .https {
      do throws(NetError) {
        try await stream.startTLS(tls, serverName: origin.serverName)
      } catch {
        switch error {
        case .timedOut: throw timeout
        case .tls(let reason): throw .tls(origin, reason: reason)
        default: throw .unreachable(origin, reason: error.description)
        }
      }
    }
    return ClientConnection(origin: origin, stream: stream)
  }

  private func addresses(
    of origin: Origin, on loop: EventLoop, deadline: Deadline, timeout: FetchError
  ) async throws(FetchError) -> [SocketAddress] {
    do throws(NetError) {
      return try await resolver.addresses(of: origin.serverName, port: origin.port, on: loop, deadline: deadline)
    } catch {
      switch error {
      case .timedOut: throw timeout
      case .unresolvable(let reason): throw .unresolvable(host: origin.serverName, reason: reason)
      default: throw .unresolvable(host: origin.serverName, reason: error.description)
      }
    }
  }

  /// Connects to the first of the addresses that answers.
  private func connect(
    _ origin: Origin, _ addresses: [SocketAddress], on loop: EventLoop, deadline: Deadline, timeout: FetchError
  ) async throws(FetchError) -> ByteStream {
    // The addresses that are judged are the ones that are connected to, right here: no name is looked up in between.
    let allowed = addresses.filter { rules.refusal(of: $0.address, for: origin) == nil }
    if allowed.isEmpty, let first = addresses.first, let kind = rules.refusal(of: first.address, for: origin) {
      throw .addressRefused(origin, first.address, kind)
    }
    let race = ConnectionRace(addresses: allowed, stagger: limits.staggerMilliseconds)
    do throws(NetError) {
      return try await race.run(on: loop, deadline: deadline)
    } catch {
      switch error {
      case .timedOut: throw timeout
      case .exhausted: throw .exhausted(error.description)
      default: throw .unreachable(origin, reason: error.description)
      }
    }
  }
}
