import COpenSSL
import Glibc

/// A blocking TLS client that decides itself which bytes travel together: records gather until they are flushed.
///
/// It trusts everybody; what a server showed is there to be looked at. Reads give up after some seconds, so that a test
/// that fails also ends.
public final class SecureWire {
  /// What a client may want.
  public struct Wishes {
    /// The name in the hello.
    public var name: String? = "localhost"
    /// Protocols in the hello (ALPN).
    public var protocols: [String] = []
    /// 0x0303 for TLS 1.2, 0x0304 for 1.3.
    public var version: Int32 = 0x0304
    /// A session to go on with.
    public var session: Session?
    /// Bytes of the socket's receive buffer, for a small window.
    public var receiveBuffer: Int32?
    /// Sent together with the client's last handshake bytes.
    public var firstRequest = ""

    /// The usual client.
    public init() {}
  }

  /// A session that can be resumed.
  public final class Session {
    fileprivate let pointer: OpaquePointer
    fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { SSL_SESSION_free(pointer) }
  }

  /// How a connection ended.
  public enum End: Equatable { case closeNotify, truncated, failed(String) }

  /// The handshake came to nothing; the text is OpenSSL's.
  public struct Refused: Error {
    /// The first words of OpenSSL on it.
    public let reason: String
  }

  private let descriptor: Int32
  private let context: OpaquePointer
  private let session: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  /// How it ended, once it did.
  public private(set) var end: End?

  /// Connects and shakes hands.
  public init(_ port: UInt16, _ wishes: Wishes = Wishes()) throws {
    guard let context = SSL_CTX_new(TLS_client_method()), let session = SSL_new(context),
      let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
    else { throw Refused(reason: "no memory") }
    self.context = context
    self.session = session
    self.incoming = incoming
    self.outgoing = outgoing
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    SSL_set_bio(session, incoming, outgoing)
    SSL_set_connect_state(session)
    _ = copenssl_set_session_version(session, wishes.version)
    if let name = wishes.name { _ = copenssl_set_server_name(session, name) }
    if let other = wishes.session { SSL_set_session(session, other.pointer) }
    if !wishes.protocols.isEmpty {
      let list = wishes.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
      SSL_set_alpn_protos(session, list, UInt32(list.count))
    }
    try connect(port, receiveBuffer: wishes.receiveBuffer)
    try shakeHands(wishes.firstRequest)
  }

  deinit {
    close(descriptor)
    // Else OpenSSL takes the end for a broken one, and never resumes the session.
    SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    SSL_free(session)
    SSL_CTX_free(context)
  }

  private func connect(_ port: UInt16, receiveBuffer: Int32?) throws {
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Refused(reason: "connection refused") }
  }

  private func shakeHands(_ firstRequest: String) throws {
    while true {
      ERR_clear_error()
      let result = SSL_do_handshake(session)
      if result == 1 {
        if !firstRequest.isEmpty { write(firstRequest) }
        flush()
        return
      }
      let error = SSL_get_error(session, result)
      flush()
      guard error == SSL_ERROR_WANT_READ else { throw Refused(reason: Self.reason()) }
      guard receive() else { throw Refused(reason: "the server ended the connection") }
    }
  }

  // MARK: What was agreed on

  /// The protocol that was agreed on by ALPN.
  public var agreedProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(session, &name, &count)
    guard count > 0 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
  }

  /// Whether an earlier session goes on.
  public var isResumed: Bool { SSL_session_reused(session) == 1 }

  /// What to go on with later; read an answer first, since TLS 1.3 brings tickets after the handshake.
  public var resumable: Session? { SSL_get1_session(session).map { Session($0) } }

  /// Whether the server's certificate holds for a name.
  public func certificateIs(for name: String) -> Bool {
    guard let certificate = SSL_get1_peer_certificate(session) else { return false }
    defer { X509_free(certificate) }
    return X509_check_host(certificate, name, 0, 0, nil) == 1
  }

  /// The serial number of the server's certificate, to tell one from another.
  public var serialNumber: UInt64 {
    guard let certificate = SSL_get1_peer_certificate(session) else { return 0 }
    defer { X509_free(certificate) }
    var number: UInt64 = 0
    ASN1_INTEGER_get_uint64(&number, X509_get_serialNumber(certificate))
    return number
  }

  // MARK: Talking

  /// Puts a record in line.
  public func write(_ text: String) {
    let bytes = Array(text.utf8)
    SSL_write(session, bytes, Int32(bytes.count))
  }

  /// Sends what is in line, in one piece.
  public func flush() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = BIO_read(outgoing, &bytes, Int32(bytes.count))
      guard count > 0 else { return }
      var sent = 0
      while sent < Int(count) {
        let result = bytes[sent..<Int(count)].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard result > 0 else { return }
        sent += result
      }
    }
  }

  /// Sends one record.
  public func send(_ text: String) {
    write(text)
    flush()
  }

  /// Asks for new keys in both directions (TLS 1.3); the next record goes out under this side's.
  public func updateKeys() {
    SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED)
    SSL_do_handshake(session)
    flush()
  }

  /// Asks for another handshake (TLS 1.2); whether the server went along.
  public func renegotiate() -> Bool {
    SSL_renegotiate(session)
    while true {
      ERR_clear_error()
      let result = SSL_do_handshake(session)
      let error = SSL_get_error(session, result)
      flush()
      if result == 1, SSL_renegotiate_pending(session) == 0 { return true }
      guard result != 1, error == SSL_ERROR_WANT_READ, receive() else { return false }
    }
  }

  /// Some bytes of the answer; none at its end.
  public func readSome(_ limit: Int = 65_536) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    while end == nil {
      ERR_clear_error()
      let count = SSL_read(session, &bytes, Int32(limit))
      if count > 0 { return Array(bytes[..<Int(count)]) }
      switch SSL_get_error(session, count) {
      case SSL_ERROR_WANT_READ:
        flush()
        if !receive() { end = .truncated }
      case SSL_ERROR_ZERO_RETURN: end = .closeNotify
      default: end = .failed(Self.reason())
      }
    }
    return []
  }

  /// What comes until it ends with `ending`, or for good.
  public func read(until ending: String) -> String {
    var all: [UInt8] = []
    let ending = Array(ending.utf8)
    while all.suffix(ending.count) != ending[...] {
      let byte = readSome(1)
      guard !byte.isEmpty else { break }
      all += byte
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Everything until the server's end.
  public func readToEnd() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let some = readSome()
      guard !some.isEmpty else { return all }
      all += some
    }
  }

  /// Whether something came.
  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return false }
    BIO_write(incoming, bytes, Int32(count))
    return true
  }

  private static func reason() -> String {
    let code = ERR_peek_last_error()
    return ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason"
  }
}
