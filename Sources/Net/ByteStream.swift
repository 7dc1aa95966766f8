import CLinux

/// A connected stream of bytes, plain or TLS, on one event loop.
///
/// Its operations suspend the task until the socket is ready, and throw `NetError.timedOut` once `deadline` has passed.
/// One task reads and one task writes at a time (they may be the same); all of them run on `loop`. The stream owns its
/// descriptor and closes it once, at `close()` or when it is released (on its loop, too).
///
/// `@unchecked Sendable`: references may travel between threads, but everything is done on `loop`, which asserts it in
/// debug builds.
public final class ByteStream: @unchecked Sendable {
  /// The loop that everything of this stream runs on.
  public let loop: EventLoop
  /// The other side.
  public let peer: SocketAddress

  private let descriptor: Int32
  private let handle: SlotHandle
  private var tls: TLSSession?
  private var isOpen = true
  /// TLS reads may have to write first (to answer a key update), and the reverse.
  private var readNeedsWriting = false
  private var writeNeedsReading = false
  private var received = 0
  private var sent = 0

  /// Takes over a connected, non-blocking descriptor.
  ///
  /// The loop watches it only once something has to be waited for: a connection whose request has come before it is
  /// accepted, and whose answer the kernel takes at once, costs no registering, and no event.
  init(descriptor: Int32, peer: SocketAddress, loop: EventLoop) {
    handle = loop.adopt(descriptor)
    self.descriptor = descriptor
    self.peer = peer
    self.loop = loop
  }

  deinit {
    close()
  }

  /// Whether bytes travel encrypted.
  public var isEncrypted: Bool { tls != nil }

  /// When the operations under way, and those to come, give up; never later than `end`.
  public var deadline: Deadline {
    get { slot.pointee.deadline }
    set { if isOpen { loop.setDeadline(min(newValue, end), of: handle) } }
  }

  /// The latest that `deadline` is ever set to.
  public var end = Deadline.never

  /// Whether the other side has sent its last byte or the connection broke, as far as the kernel said so, which it does
  /// from the first wait on.
  public var hasHungUp: Bool { !isOpen || slot.pointee.hasHungUp }

  private var slot: UnsafeMutablePointer<Slot> { loop.slots[handle.index] }

  // MARK: Connecting and closing

  /// Connects to an address. A task that is cancelled meanwhile gives up with `NetError.timedOut`.
  public static func connect(
    to address: SocketAddress, on loop: EventLoop, deadline: Deadline
  ) async throws(NetError) -> ByteStream {
    let descriptor = clinux_socket_tcp(address.family)
    guard descriptor >= 0 else { throw NetError(call: "socket", code: -descriptor) }
    let stream = ByteStream(descriptor: descriptor, peer: address, loop: loop)
    stream.deadline = deadline
    let result = address.withSockaddr { clinux_connect(descriptor, $0, $1) }
    if result < 0 {
      guard result == -EINPROGRESS else { throw NetError(call: "connect", code: -result) }
      stream.slot.pointee.isWritable = false
      let outcome: Result<Void, NetError> = await withTaskCancellationHandler {
        do throws(NetError) { return .success(try await stream.writable()) } catch { return .failure(error) }
      } onCancel: {
        Task(executorPreference: loop) { stream.abort() }
      }
      try outcome.get()
      let error = clinux_socket_error(descriptor)
      guard error == 0 else { throw NetError(call: "connect", code: error) }
    }
    return stream
  }

  /// Connects to a socket at a path of the file system.
  public static func connect(toPath path: String, on loop: EventLoop) throws(NetError) -> ByteStream {
    let descriptor = clinux_connect_local(path)
    guard descriptor >= 0 else { throw NetError(call: "connect", code: -descriptor) }
    return ByteStream(descriptor: descriptor, peer: .unspecified, loop: loop)
  }

  /// Closes the descriptor. No operation may be under way: `abort()` ends those first.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    tls?.sendClosure()
    tls = nil
    loop.unregister(handle)
    clinux_close(descriptor)
  }

  /// Makes the operations under way, and all later ones, throw `NetError.timedOut`; the task that owns the stream
  /// closes it then.
  public func abort() {
    if isOpen { loop.expireNow(handle) }
  }

  /// Says that no more bytes will come from this side, and keeps reading possible.
  public func finishWriting() {
    guard isOpen else { return }
    tls?.sendClosure()
    clinux_shutdown_write(descriptor)
  }

  /// Encrypts the stream as a client, checking the certificate against the context's authorities and `serverName`.
  public func startTLS(_ context: TLSClientContext, serverName: String) async throws(NetError) {
    let session = try context.makeSession(descriptor: descriptor, serverName: serverName)
    try await handshake(session)
    tls = session
  }

  /// Encrypts the stream as a server. When it throws `NetError.plainHTTP`, the stream is as plain as before, but for the
  /// bytes that were read.
  public func acceptTLS(_ context: TLSServerContext) async throws(NetError) {
    let session = try context.makeSession(descriptor: descriptor)
    try await handshake(session)
    tls = session
  }

  private func handshake(_ session: TLSSession) async throws(NetError) {
    while true {
      switch try session.handshake() {
      case .done: return
      case .needsReading:
        slot.pointee.isReadable = false
        try await waitUntilReadable()
      case .needsWriting:
        slot.pointee.isWritable = false
        try await waitUntilWritable()
      }
    }
  }

  // MARK: Waiting

  /// Suspends until `tryRead` is worth calling.
  public func readable() async throws(NetError) {
    guard isOpen else { throw .closed }
    if let tls, tls.hasBufferedBytes { return }
    if readNeedsWriting { return try await waitUntilWritable() }
    try await waitUntilReadable()
  }

  /// Suspends until `tryWrite` is worth calling.
  public func writable() async throws(NetError) {
    guard isOpen else { throw .closed }
    if writeNeedsReading { return try await waitUntilReadable() }
    try await waitUntilWritable()
  }

  private func waitUntilReadable() async throws(NetError) {
    while true {
      if slot.pointee.hasExpired { throw .timedOut }
      if slot.pointee.isReadable { return }
      try loop.watch(handle)
      await loop.suspendReader(handle)
    }
  }

  private func waitUntilWritable() async throws(NetError) {
    while true {
      if slot.pointee.hasExpired { throw .timedOut }
      if slot.pointee.isWritable { return }
      try loop.watch(handle)
      await loop.suspendWriter(handle)
    }
  }

  // MARK: Bytes

  /// How many bytes were read and written since the last call, within TLS where there is any.
  public func takeCounts() -> (received: Int, sent: Int) {
    defer { (received, sent) = (0, 0) }
    return (received, sent)
  }

  /// Reads what is there now: a count of bytes, 0 at the end of the stream, nil when nothing is there yet.
  public func tryRead(into buffer: UnsafeMutableRawBufferPointer) throws(NetError) -> Int? {
    guard isOpen else { throw .closed }
    guard let base = buffer.baseAddress, buffer.count > 0 else { return nil }
    if let tls { return try tryReadEncrypted(into: buffer, tls) }
    let count = clinux_receive(descriptor, base, buffer.count)
    if count >= 0 {
      received &+= count
      // A short read has drained the socket; only a hang-up may still stand behind it.
      if count < buffer.count, !slot.pointee.hasHungUp { slot.pointee.isReadable = false }
      return count
    }
    guard count == -Int(EAGAIN) else { throw NetError(call: "recv", code: Int32(-count)) }
    slot.pointee.isReadable = false
    return nil
  }

  /// Writes what fits now, head and body in one call: a count of bytes, nil when nothing fits.
  public func tryWrite(head: Span<UInt8>, body: Span<UInt8>) throws(NetError) -> Int? {
    guard isOpen else { throw .closed }
    if let tls { return try tryWriteEncrypted(head, body, tls) }
    let count = head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        clinux_send2(descriptor, head.baseAddress, head.count, body.baseAddress, body.count)
      }
    }
    if count >= 0 {
      sent &+= count
      return count
    }
    guard count == -Int(EAGAIN) else { throw NetError(call: "send", code: Int32(-count)) }
    slot.pointee.isWritable = false
    return nil
  }

  private func tryReadEncrypted(into buffer: UnsafeMutableRawBufferPointer, _ tls: TLSSession) throws(NetError) -> Int?
  {
    let outcome = try tls.read(into: buffer)
    readNeedsWriting = outcome == .needsWriting
    switch outcome {
    case .bytes(let count):
      received &+= count
      return count
    case .end: return 0
    case .needsReading: slot.pointee.isReadable = false
    case .needsWriting: slot.pointee.isWritable = false
    }
    return nil
  }

  private func tryWriteEncrypted(_ head: Span<UInt8>, _ body: Span<UInt8>, _ tls: TLSSession) throws(NetError) -> Int? {
    // One record for the head and what it has room for of the body, so that a small answer is one segment.
    let outcome = head.isEmpty ? try tls.write(body) : try loop.recordBuffer.join(head, body, tls.write)
    writeNeedsReading = outcome == .needsReading
    switch outcome {
    case .bytes(let count):
      sent &+= count
      return count
    case .end: throw .reset
    case .needsReading: slot.pointee.isReadable = false
    case .needsWriting: slot.pointee.isWritable = false
    }
    return nil
  }

  /// Reads at least one byte: their count, or 0 at the end of the stream. The caller owns `buffer` across the wait.
  public func read(into buffer: UnsafeMutableRawBufferPointer) async throws(NetError) -> Int {
    while true {
      try await readable()
      if let count = try tryRead(into: buffer) { return count }
    }
  }

  /// Reads up to `limit` bytes: at least one, or none at the end of the stream.
  public func read(upTo limit: Int) async throws(NetError) -> [UInt8] {
    while true {
      try await readable()
      var result: Result<Int?, NetError> = .success(nil)
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        do throws(NetError) {
          let read = try tryRead(into: UnsafeMutableRawBufferPointer(buffer))
          count = read ?? 0
          result = .success(read)
        } catch {
          result = .failure(error)
        }
      }
      if try result.get() != nil { return bytes }
    }
  }

  /// Writes all of `head`, then `part` of `body` (the whole when not given), the first `sent` bytes left out. Each time
  /// some bytes are taken, the deadline moves to `stallLimit` milliseconds later, when that is given.
  public func write(
    head: [UInt8] = [], body: [UInt8], part: Range<Int>? = nil, from sent: Int = 0, stallLimit: Int64? = nil
  ) async throws(NetError) {
    let part = part ?? 0..<body.count
    var sent = sent
    while sent < head.count + part.count {
      if let taken = try tryWrite(head: head, body: body, part: part, from: sent) {
        sent += taken
        if let stallLimit { deadline = loop.deadline(in: stallLimit) }
      } else {
        try await writable()
      }
    }
  }

  /// Writes what fits now of `head` and then `part` of `body`, the first `sent` bytes left out: a count of bytes, nil
  /// when nothing fits.
  public func tryWrite(head: [UInt8], body: [UInt8], part: Range<Int>, from sent: Int) throws(NetError) -> Int? {
    let inHead = min(sent, head.count)
    return try tryWrite(
      head: head.span.extracting(inHead...),
      body: body.span.extracting(part.lowerBound + sent - inHead..<part.upperBound))
  }
}

private let EINPROGRESS = Int32(115)
private let EAGAIN = Int32(11)
