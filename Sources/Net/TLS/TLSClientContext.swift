import COpenSSL

/// What outgoing TLS connections have in common: the authorities they trust, TLS 1.2 at least, verified names.
///
/// `@unchecked Sendable`: the SSL_CTX is set up in `init` and only read afterwards; OpenSSL counts its references
/// atomically and locks its session cache.
public final class TLSClientContext: @unchecked Sendable {
  private let context: OpaquePointer

  /// Trusts the system's certificate authorities, and those in `authorities` (a PEM file) as well when given.
  /// - Throws: `NetError.tls` when the file cannot be read or holds no certificate.
  public init(authorities: String? = nil) throws(NetError) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw .tls(lastOpenSSLError()) }
    self.context = context
    _ = copenssl_set_min_tls12(context)
    _ = copenssl_set_modes(context)
    copenssl_no_renegotiation(context)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    SSL_CTX_set_default_verify_paths(context)
    if let authorities, SSL_CTX_load_verify_locations(context, authorities, nil) != 1 {
      throw .tls("\(authorities) cannot be used as certificate authorities: \(lastOpenSSLError())")
    }
  }

  deinit {
    SSL_CTX_free(context)
  }

  /// A session that checks the peer's certificate for `serverName`, a DNS name or an IP address.
  func makeSession(descriptor: Int32, serverName: String) throws(NetError) -> TLSSession {
    guard let session = SSL_new(context) else { throw .tls(lastOpenSSLError()) }
    let owned = TLSSession(owning: session, keeping: self)
    guard SSL_set_fd(session, descriptor) == 1 else { throw .tls(lastOpenSSLError()) }
    let isNamed: Bool
    if IPAddress(serverName) != nil {
      isNamed = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), serverName) == 1
    } else {
      // A name goes into the hello (SNI, RFC 6066); an address must not.
      isNamed = SSL_set1_host(session, serverName) == 1 && copenssl_set_server_name(session, serverName) == 1
    }
    guard isNamed else { throw .tls("\(serverName) is not a name that a certificate can have") }
    SSL_set_connect_state(session)
    return owned
  }
}
