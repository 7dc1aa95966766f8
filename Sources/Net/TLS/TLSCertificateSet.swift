import COpenSSL

/// The certificates of a server: one per identity, chosen by the name that the client asks for (SNI, RFC 6066), the
/// first for everybody else.
///
/// All take TLS 1.2 and 1.3, agree on `http/1.1` and nothing else (ALPN, RFC 7301), and let sessions be resumed by
/// tickets, or out of a small cache by clients that know none.
///
/// `@unchecked Sendable`: everything is set up in `init` and only read afterwards; OpenSSL counts the references of an
/// SSL_CTX atomically and locks its session cache.
public final class TLSCertificateSet: @unchecked Sendable {
  private let contexts: [OpaquePointer]

  /// How long a session may be resumed, and how many are remembered for clients without tickets.
  private static let sessionSeconds = 12 * 3_600
  private static let sessionCount = 1_024

  /// Reads the files. `identities` must not be empty.
  public init(_ identities: [TLSIdentity], ticketKeys: TLSTicketKeys) throws(TLSIdentityFault) {
    var contexts: [OpaquePointer] = []
    do throws(TLSIdentityFault) {
      for identity in identities { contexts.append(try Self.makeContext(identity, ticketKeys)) }
    } catch {
      for context in contexts { SSL_CTX_free(context) }
      throw error
    }
    self.contexts = contexts
    // The callback points back here; each session keeps the set for as long as it may call.
    let table = Unmanaged.passUnretained(self).toOpaque()
    for context in contexts {
      copenssl_set_name_callback(
        context,
        { session, _, table in
          guard let session, let table else { return SSL_TLSEXT_ERR_NOACK }
          return Unmanaged<TLSCertificateSet>.fromOpaque(table).takeUnretainedValue().choose(for: session)
        }, table)
    }
  }

  deinit {
    for context in contexts { SSL_CTX_free(context) }
  }

  func makeSession(descriptor: Int32) throws(NetError) -> TLSSession {
    guard let context = contexts.first, let session = SSL_new(context) else { throw .tls(lastOpenSSLError()) }
    let owned = TLSSession(owning: session, keeping: self)
    guard SSL_set_fd(session, descriptor) == 1 else { throw .tls(lastOpenSSLError()) }
    SSL_set_accept_state(session)
    return owned
  }

  /// Takes the first certificate that holds for the name in the hello, wildcards included. An unknown name is no reason
  /// to fail: the client will judge the certificate that it gets.
  private func choose(for session: OpaquePointer) -> Int32 {
    guard let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) else { return SSL_TLSEXT_ERR_NOACK }
    for context in contexts {
      guard let certificate = SSL_CTX_get0_certificate(context) else { continue }
      if X509_check_host(certificate, name, 0, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS), nil) == 1 {
        SSL_set_SSL_CTX(session, context)
        return SSL_TLSEXT_ERR_OK
      }
    }
    return SSL_TLSEXT_ERR_NOACK
  }

  // MARK: Setting up

  private static func makeContext(
    _ identity: TLSIdentity, _ ticketKeys: TLSTicketKeys
  ) throws(TLSIdentityFault) -> OpaquePointer {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .context(reason: lastOpenSSLError()) }
    do throws(TLSIdentityFault) {
      try setUp(context, ticketKeys)
      try read(identity, into: context)
      return context
    } catch {
      SSL_CTX_free(context)
      throw error
    }
  }

  private static func setUp(_ context: OpaquePointer, _ ticketKeys: TLSTicketKeys) throws(TLSIdentityFault) {
    _ = copenssl_set_min_tls12(context)
    _ = copenssl_set_modes(context)
    copenssl_set_session_cache(context, sessionCount, sessionSeconds)
    var keys = ticketKeys.bytes
    let purpose = Array("banchan".utf8)
    guard copenssl_set_server_defaults(context) == 1,
      copenssl_set_ticket_keys(context, &keys, keys.count) == 1,
      SSL_CTX_set_session_id_context(context, purpose, UInt32(purpose.count)) == 1
    else { throw .context(reason: lastOpenSSLError()) }
    // One ticket is enough: each resumption brings another.
    SSL_CTX_set_num_tickets(context, 1)
    SSL_CTX_set_alpn_select_cb(
      context, { _, chosen, count, offered, length, _ in TLSCertificateSet.agree(chosen, count, offered, length) }, nil)
    // A key with a passphrase must fail, not ask on the terminal.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
  }

  private static func read(_ identity: TLSIdentity, into context: OpaquePointer) throws(TLSIdentityFault) {
    guard SSL_CTX_use_certificate_chain_file(context, identity.certificateFile) == 1 else {
      throw .certificate(file: identity.certificateFile, reason: lastOpenSSLError())
    }
    guard SSL_CTX_use_PrivateKey_file(context, identity.keyFile, SSL_FILETYPE_PEM) == 1 else {
      let reason = ERR_peek_error()
      if copenssl_reason(reason) == X509_R_KEY_VALUES_MISMATCH { throw .mismatch(identity) }
      throw .key(file: identity.keyFile, reason: lastOpenSSLError())
    }
    guard SSL_CTX_check_private_key(context) == 1 else { throw .mismatch(identity) }
  }

  /// Agrees on `http/1.1`, or ends the handshake with no_application_protocol (RFC 7301, section 3.2). A client that
  /// offers nothing speaks HTTP/1.1 as well.
  private static func agree(
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ length: UInt32
  ) -> Int32 {
    let wanted = Array("http/1.1".utf8)
    let list = UnsafeBufferPointer(start: offered, count: Int(length))
    var index = 0
    while index < list.count {
      let name = list[(index + 1)...].prefix(Int(list[index]))
      if name.elementsEqual(wanted), let offered {
        chosen?.pointee = offered + index + 1
        count?.pointee = UInt8(wanted.count)
        return SSL_TLSEXT_ERR_OK
      }
      index += 1 + Int(list[index])
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }
}

extension TLSTicketKeys {
  static func random(count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // Without random numbers there is no TLS at all: OpenSSL then fails every handshake as well.
    RAND_bytes(&bytes, Int32(count))
    return bytes
  }
}
