import COpenSSL

/// One TLS session over a non-blocking descriptor. Owned by its stream, used on that stream's loop only.
final class TLSSession {
  /// The most bytes that one record carries (RFC 8446, section 5.1).
  static let recordSize = 16_384

  enum Progress { case done, needsReading, needsWriting }
  enum Transfer { case bytes(Int), end, needsReading, needsWriting }

  private let session: OpaquePointer

  /// Takes over an SSL object that has its descriptor and its side (connect or accept) set.
  init(owning session: OpaquePointer) {
    self.session = session
  }

  deinit {
    SSL_free(session)
  }

  /// Whether decrypted bytes are waiting that the socket knows nothing of.
  var hasBufferedBytes: Bool { SSL_pending(session) > 0 }

  func handshake() throws(NetError) -> Progress {
    ERR_clear_error()
    let result = SSL_do_handshake(session)
    if result == 1 { return .done }
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ: return .needsReading
    case SSL_ERROR_WANT_WRITE: return .needsWriting
    default: throw .tls(failureReason())
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetError) -> Transfer {
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count))
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
