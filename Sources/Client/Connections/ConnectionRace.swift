import Net

/// Connects to whichever of a host's addresses answers first ("happy eyeballs", RFC 8305): one after the other, each with a
/// head start, so that neither a dead network nor a dead machine costs more than that.
struct ConnectionRace {
  /// In the order in which they are tried.
  let addresses: [SocketAddress]
  /// Milliseconds of the head start.
  let stagger: Int64

  /// - Parameter addresses: in the order in which the system prefers them.
  init(addresses: [SocketAddress], stagger: Int64) {
    self.addresses = Self.interleaved(addresses)
    self.stagger = stagger
  }

  /// IPv6 and IPv4 in turn, beginning with the family of the first (RFC 8305, section 4); the order within each stays.
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first?.address.family else { return [] }
    let one = addresses.filter { $0.address.family == first }
    let other = addresses.filter { $0.address.family != first }
    var result: [SocketAddress] = []
    for index in 0..<max(one.count, other.count) {
      if index < one.count { result.append(one[index]) }
      if index < other.count { result.append(other[index]) }
    }
    return result
  }

  private enum Event: Sendable {
    case ended(Result<ByteStream, NetError>)
    case headStartIsOver(of: Int)
  }

  /// The first connection that stands; the others are given up.
  ///
  /// - Throws: what the last attempt to fail failed with, but `timedOut` when any of them ran out of time.
  func run(on loop: EventLoop, deadline: Deadline) async throws(NetError) -> ByteStream {
    let outcome: Result<ByteStream, NetError> = await withTaskGroup(of: Event.self) { group in
      var started = 0
      var running = 0
      var failure = NetError.unreachable
      func startNext() {
        guard started < addresses.count else { return }
        let (number, address) = (started, addresses[started])
        started += 1
        running += 1
        group.addTask { .ended(await Self.connect(to: address, on: loop, deadline: deadline)) }
        guard started < addresses.count else { return }
        group.addTask {
          await loop.sleep(milliseconds: stagger)
          return .headStartIsOver(of: number)
        }
      }
      startNext()
      while running > 0, let event = await group.next() {
        switch event {
        case .headStartIsOver(let number):
          if number == started - 1 { startNext() }
        case .ended(.success(let stream)):
          group.cancelAll()
          return .success(stream)
        case .ended(.failure(let error)):
          running -= 1
          if failure != .timedOut { failure = error }
          if case .exhausted = error { continue }
          startNext()
        }
      }
      group.cancelAll()
      return .failure(failure)
    }
    return try outcome.get()
  }

  private static func connect(
    to address: SocketAddress, on loop: EventLoop, deadline: Deadline
  ) async -> Result<ByteStream, NetError> {
    do throws(NetError) {
      return .success(try await ByteStream.connect(to: address, on: loop, deadline: deadline))
    } catch {
      return .failure(error)
    }
  }
}
