import COpenSSL

/// One TLS session over a non-blocking descriptor. Owned by its stream, used on that stream's loop only.
final class TLSSession {
  /// The most bytes that one record carries (RFC 8446, section 5.1).
  static let recordSize = 16_384

  enum Progress { case done, needsReading, needsWriting }
  enum Transfer: Equatable { case bytes(Int), end, needsReading, needsWriting }

  private let session: OpaquePointer
  /// What the session's callbacks point at.
  private let owner: AnyObject
  /// Whether bytes were taken from the socket that no read has returned: the socket knows nothing of them.
  private(set) var hasBufferedBytes = false

  /// Takes over an SSL object that has its descriptor and its side (connect or accept) set, and keeps `owner` alive.
  init(owning session: OpaquePointer, keeping owner: AnyObject) {
    self.session = session
    self.owner = owner
  }

  deinit {
    SSL_free(session)
  }

  func handshake() throws(NetError) -> Progress {
    ERR_clear_error()
    let result = SSL_do_handshake(session)
    if result == 1 {
      // The first request may have come along with the client's last words.
      hasBufferedBytes = SSL_has_pending(session) == 1
      return .done
    }
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ: return .needsReading
    case SSL_ERROR_WANT_WRITE: return .needsWriting
    // What OpenSSL says of a first record that begins like a request line.
    case SSL_ERROR_SSL where copenssl_reason(ERR_peek_error()) == SSL_R_HTTP_REQUEST: throw .plainHTTP
    case SSL_ERROR_SYSCALL: throw .reset
    default: throw .tls(failureReason())
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetError) -> Transfer {
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count))
    // A partial record counts as well, but only until a read has found that it is one.
    hasBufferedBytes = count > 0 && SSL_has_pending(session) == 1
    return try outcome(count)
  }

  func write(_ bytes: Span<UInt8>) throws(NetError) -> Transfer {
    guard !bytes.isEmpty else { return .bytes(0) }
    ERR_clear_error()
    let count = bytes.withUnsafeBytes { SSL_write(session, $0.baseAddress, Int32(clamping: $0.count)) }
    return try outcome(count)
  }

  private func outcome(_ count: Int32) throws(NetError) -> Transfer {
    if count > 0 { return .bytes(Int(count)) }
    switch SSL_get_error(session, count) {
    case SSL_ERROR_WANT_READ: return .needsReading
    case SSL_ERROR_WANT_WRITE: return .needsWriting
    case SSL_ERROR_ZERO_RETURN: return .end
    // The socket ended without a closing alert: the bytes so far may be a truncated message.
    case SSL_ERROR_SYSCALL: throw .reset
    default: throw .tls(failureReason())
    }
  }

  /// Sends close_notify if the session is in a state for it; the answer is not waited for.
  func sendClosure() {
    guard SSL_is_init_finished(session) == 1 else { return }
    ERR_clear_error()
    SSL_shutdown(session)
  }

  /// OpenSSL's own words: the certificate's fault when there is one, else the last error of this thread.
  private func failureReason() -> String {
    let verification = SSL_get_verify_result(session)
    if verification != Int(X509_V_OK) {
      return String(cString: X509_verify_cert_error_string(verification))
    }
    return lastOpenSSLError()
  }
}

/// The newest entry of OpenSSL's error queue of this thread.
func lastOpenSSLError() -> String {
  let code = ERR_get_error()
  guard code != 0, let reason = ERR_reason_error_string(code) else { return "connection ended" }
  return String(cString: reason)
}
