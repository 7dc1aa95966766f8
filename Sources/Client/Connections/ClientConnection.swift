import HTTP
import Net

/// A connection to an origin, with what has been read from it and not used yet. Used on its stream's loop only.
final class ClientConnection {
  let origin: Origin
  let stream: ByteStream
  /// Whether an earlier fetch used it: then the origin may have closed it just as we write.
  var isReused = false
  /// Bytes received and not yet given away; the front up to `used` is spent.
  private var buffer: [UInt8] = []

  private static let readSize = 16_384

  init(origin: Origin, stream: ByteStream) {
    self.origin = origin
    self.stream = stream
  }

  /// What there is to read on a connection that has answered.
  private enum Rest {
    /// Nothing, as it should be.
    case nothing
    /// Bytes that nobody has asked for.
    case bytes
    /// The end, or an error.
    case end
  }

  /// Takes a byte where there is one: then the connection is spent anyway.
  private var rest: Rest {
    guard buffer.isEmpty else { return .bytes }
    var byte: UInt8 = 0
    do throws(NetError) {
      let count = try withUnsafeMutableBytes(of: &byte) { bytes throws(NetError) in try stream.tryRead(into: bytes) }
      return count.map { $0 > 0 ? .bytes : .end } ?? .nothing
    } catch {
      return .end
    }
  }

  /// Whether bytes have come that nobody asked for.
  var hasSurplus: Bool { rest == .bytes }

  /// Whether it can carry another request: nothing has come that nobody asked for, and the origin has not closed it.
  var isFresh: Bool { !stream.hasHungUp && rest == .nothing }

  /// Sends a request and reads the answer's head.
  func exchange(
    _ request: [UInt8], patience: inout Patience, limits: FetchLimits
  ) async throws(FetchError) -> ResponseHead {
    let (deadline, timeout) = patience.deadline(on: stream.loop, step: (limits.firstByteMilliseconds, .firstByte))
    stream.deadline = deadline
    do throws(NetError) {
      try await stream.write(body: request)
    } catch {
      // An origin may answer and close before it has read everything; for a GET without a body that is a broken one.
      throw error == .timedOut ? timeout : .unreachable(origin, reason: error.description)
    }
    var parser = ResponseParser(answersHEAD: false)
    while true {
      let parsed: (head: ResponseHead, length: Int)?
      do throws(ResponseFault) { parsed = try parser.parse(buffer) } catch { throw .head(error) }
      if let parsed {
        buffer.removeFirst(parsed.length)
        return parsed.head
      }
      // Nothing is behind a connection that breaks before the first byte; later, something was.
      let isFirst = buffer.isEmpty
      let bytes = try await receive(timeout: isFirst ? timeout : setDeadline(patience)) { reason in
        isFirst ? .unreachable(origin, reason: reason) : .closedEarly(received: 0)
      }
      guard !bytes.isEmpty else {
        throw isFirst ? .unreachable(origin, reason: "closed without an answer") : .closedEarly(received: 0)
      }
      patience.received(bytes.count, now: stream.loop.now)
      buffer += bytes
    }
  }

  /// The next bytes of a body, from what is at hand or from the socket; empty where the connection ends in order.
  ///
  /// - Parameter received: how many bytes came before, for the error of a connection that breaks.
  func next(after received: Int, patience: inout Patience) async throws(FetchError) -> [UInt8] {
    if !buffer.isEmpty {
      defer { buffer = [] }
      return buffer
    }
    let bytes = try await receive(timeout: setDeadline(patience)) { _ in .closedEarly(received: received) }
    patience.received(bytes.count, now: stream.loop.now)
    return bytes
  }

  /// Puts back what lay behind the end of a body.
  func putBack(_ bytes: ArraySlice<UInt8>) { buffer = Array(bytes) + buffer }

  private func setDeadline(_ patience: Patience) -> FetchError {
    let (deadline, timeout) = patience.deadline(on: stream.loop)
    stream.deadline = deadline
    return timeout
  }

  private func receive(
    timeout: FetchError, broken: (_ reason: String) -> FetchError
  ) async throws(FetchError) -> [UInt8] {
    do throws(NetError) {
      return try await stream.read(upTo: Self.readSize)
    } catch {
      throw error == .timedOut ? timeout : broken(error.description)
    }
  }
}
