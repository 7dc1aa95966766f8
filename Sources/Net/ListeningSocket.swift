import CLinux

/// A listening TCP socket of one event loop.
///
/// `@unchecked Sendable`: the descriptor and address are constants; the slot is used on the loop only, after `open`.
public final class ListeningSocket: @unchecked Sendable {
  /// The address that is listened on, with the port that was given when any would do.
  public let address: SocketAddress

  private let descriptor: Int32
  private var state = State.waiting

  private enum State {
    /// Listening, on no loop yet.
    case waiting
    case attached(EventLoop, SlotHandle)
    /// The descriptor has been closed, and may be somebody else's by now.
    case closed
  }

  private var attachment: (loop: EventLoop, handle: SlotHandle)? {
    if case .attached(let loop, let handle) = state { (loop, handle) } else { nil }
  }

  private init(descriptor: Int32, address: SocketAddress) {
    self.descriptor = descriptor
    self.address = address
  }

  deinit {
    if case .waiting = state { clinux_close(descriptor) }
  }

  /// Listens on one address with `count` sockets, among which the kernel spreads the connections. The first is bound
  /// alone, so that a port another server listens on is refused, and shared with the others afterwards.
  /// - Throws: `NetError.addressInUse`, or what the system says.
  public static func listen(
    on address: SocketAddress, count: Int = 1, backlog: Int32 = 1024
  ) throws(NetError) -> [ListeningSocket] {
    let first = try bind(address, backlog: backlog, sharing: false)
    guard count > 1 else { return [first] }
    let shared = clinux_share_port(first.descriptor)
    guard shared >= 0 else { throw NetError(call: "setsockopt", code: -shared) }
    var sockets = [first]
    for _ in 1..<count {
      sockets.append(try bind(first.address, backlog: backlog, sharing: true))
    }
    return sockets
  }

  /// Listens at a path of the file system, for processes of this user; a socket that was left there is replaced.
  ///
  /// Nothing says who is at the other end: the `peer` of its streams is 0.0.0.0, and so is `address`.
  /// - Throws: `NetError.system` with ENAMETOOLONG for a path of more than 107 bytes.
  public static func listen(atPath path: String) throws(NetError) -> ListeningSocket {
    let descriptor = clinux_listen_local(path, 16)
    guard descriptor >= 0 else { throw NetError(call: "listen", code: -descriptor) }
    return ListeningSocket(descriptor: descriptor, address: .unspecified)
  }

  private static func bind(
    _ address: SocketAddress, backlog: Int32, sharing: Bool
  ) throws(NetError) -> ListeningSocket {
    let descriptor = address.withSockaddr { clinux_listen_tcp($0, $1, backlog, sharing ? 1 : 0) }
    guard descriptor >= 0 else { throw NetError(call: "listen", code: -descriptor) }
    var storage = sockaddr_storage()
    let result = clinux_local_address(descriptor, &storage)
    guard result >= 0, let bound = SocketAddress(storage) else {
      clinux_close(descriptor)
      throw NetError(call: "getsockname", code: -result)
    }
    return ListeningSocket(descriptor: descriptor, address: bound)
  }

  /// Puts the socket on a loop; called once, on that loop, before `accept`.
  public func attach(to loop: EventLoop) throws(NetError) {
    let handle = loop.adopt(descriptor)
    do {
      try loop.watch(handle)
    } catch {
      loop.unregister(handle)
      throw error
    }
    state = .attached(loop, handle)
  }

  /// The next connection, if one waits; nil when the queue is empty.
  /// - Throws: `NetError.exhausted` when the process or the machine has no descriptor left (the connection stays in the
  ///   queue), `NetError.reset` when the other side gave up meanwhile.
  public func tryAccept() throws(NetError) -> ByteStream? {
    guard let (loop, handle) = attachment else { throw .closed }
    var storage = sockaddr_storage()
    let accepted = clinux_accept(descriptor, &storage)
    if accepted == -EAGAIN {
      loop.slots[handle]?.pointee.isReadable = false
      return nil
    }
    guard accepted >= 0 else { throw NetError(call: "accept4", code: -accepted) }
    let peer = SocketAddress(storage) ?? .unspecified
    return ByteStream(
      descriptor: accepted, peer: SocketAddress(peer.address.unmapped, port: peer.port), loop: loop)
  }

  /// Suspends until a connection may be waiting.
  /// - Throws: `NetError.closed` after `wakeForClosing()`.
  public func acceptable() async throws(NetError) {
    guard let (loop, handle) = attachment else { throw .closed }
    while true {
      guard let slot = loop.slots[handle] else { throw .closed }
      if slot.pointee.hasExpired { throw .closed }
      if slot.pointee.isReadable { return }
      await loop.suspendReader(handle)
    }
  }

  /// Makes `acceptable()` throw, so that the accepting task can close the socket.
  public func wakeForClosing() {
    if let (loop, handle) = attachment { loop.expireNow(handle) }
  }

  /// Stops listening. Connections that still wait in the queue are refused.
  public func close() {
    guard let (loop, handle) = attachment else { return }
    state = .closed
    loop.unregister(handle)
    clinux_close(descriptor)
  }
}

private let EAGAIN = Int32(11)
