import HTTP
import Net

/// An answer whose head has been read, and whose body comes piece by piece.
///
/// Belongs to one task on the loop that fetched it. The connection goes back for reuse once the body has been read to
/// its end, and is closed when the answer is let go before.
public final class FetchedResponse {
  /// Status and fields.
  public let head: ResponseHead
  /// The URL that answered: the last one where redirects were followed.
  public let url: OriginURL

  private let limits: FetchLimits
  private let pool: ConnectionPool
  private var patience: Patience
  private var connection: ClientConnection?
  private var received = 0
  private var chunks: ChunkedDecoder?

  init(
    _ head: ResponseHead, from url: OriginURL, over connection: ClientConnection, pool: ConnectionPool,
    limits: FetchLimits, patience: Patience
  ) {
    self.head = head
    self.url = url
    self.limits = limits
    self.pool = pool
    self.patience = patience
    self.connection = connection
    chunks = head.framing == .chunked ? ChunkedDecoder() : nil
  }

  /// The length of the body that the head states; nil when it is known only at the end.
  public var statedLength: Int? {
    switch head.framing {
    case .none: 0
    case .length(let length): length
    case .chunked, .untilClose: nil
    }
  }

  /// The next bytes of the body, at least one; nil once it is complete.
  ///
  /// - Throws: `FetchError.tooLarge` before a byte past the limit is handed out, and at once when the head states more;
  ///   `.closedEarly`, `.surplus`, `.chunks`, `.tooSlow`, `.timedOut`. The connection is closed then.
  public func next() async throws(FetchError) -> [UInt8]? {
    guard let connection else { return nil }
    do throws(FetchError) {
      let bytes = try await next(from: connection)
      if bytes == nil { try finish(connection) }
      return bytes
    } catch {
      close()
      throw error
    }
  }

  /// Closes the connection, when the rest of the body is not wanted.
  public func close() {
    connection?.stream.close()
    connection = nil
  }

  /// Reads a body that nobody wants, if it is short, so that its connection can be used again; else closes it.
  public func discard() async {
    while received <= 16_384, (statedLength ?? 0) <= 16_384 {
      guard let bytes = try? await next(), !bytes.isEmpty else { return }
    }
    close()
  }

  private func next(from connection: ClientConnection) async throws(FetchError) -> [UInt8]? {
    switch head.framing {
    case .none:
      return nil
    case .length(let length):
      guard length <= limits.bodyBytes else { throw .tooLarge(limit: limits.bodyBytes) }
      guard received < length else { return nil }
      var bytes = try await connection.next(after: received, patience: &patience)
      guard !bytes.isEmpty else { throw .closedEarly(received: received) }
      if bytes.count > length - received {
        connection.putBack(bytes[(length - received)...])
        bytes.removeLast(bytes.count - (length - received))
      }
      return try counted(bytes)
    case .chunked:
      return try await nextChunks(from: connection)
    case .untilClose:
      let bytes = try await connection.next(after: received, patience: &patience)
      return bytes.isEmpty ? nil : try counted(bytes)
    }
  }

  private func nextChunks(from connection: ClientConnection) async throws(FetchError) -> [UInt8]? {
    while chunks?.isAtEnd == false {
      let bytes = try await connection.next(after: received, patience: &patience)
      guard !bytes.isEmpty else { throw .closedEarly(received: received) }
      var data: [UInt8] = []
      data.reserveCapacity(bytes.count)
      let taken: Int
      do throws(ChunkFault) {
        taken = try chunks?.decode(bytes.span, into: &data) ?? 0
      } catch {
        throw .chunks("\(error)")
      }
      if taken < bytes.count { connection.putBack(bytes[taken...]) }
      if !data.isEmpty { return try counted(data) }
    }
    return nil
  }

  private func counted(_ bytes: [UInt8]) throws(FetchError) -> [UInt8] {
    guard bytes.count <= limits.bodyBytes - received else { throw .tooLarge(limit: limits.bodyBytes) }
    received += bytes.count
    return bytes
  }

  private func finish(_ connection: ClientConnection) throws(FetchError) {
    // What is stated too short is cut off where it is stated to end. Only what has come by now can tell: to wait for more
    // would be to wait for every origin.
    if case .length(let length) = head.framing, connection.hasSurplus { throw .surplus(stated: length) }
    self.connection = nil
    if head.keepsAlive { pool.put(connection) } else { connection.stream.close() }
  }
}
