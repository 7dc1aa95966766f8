import CLinux
import COpenSSL
import Glibc

/// A certificate and its key in memory, as OpenSSL's own objects. Used by one thread at a time.
final class SignedCertificate {
  private let certificate: OpaquePointer
  private let key: OpaquePointer

  private init(owning certificate: OpaquePointer, _ key: OpaquePointer) {
    self.certificate = certificate
    self.key = key
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  // MARK: Making

  /// A new authority that signs servers' certificates and nothing else.
  convenience init(authority name: String, days: Int) throws(LocalCertificateFault) {
    try self.init(
      subject: name, days: days, issuer: nil,
      extensions: [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
        (NID_subject_key_identifier, "hash"),
      ])
  }

  /// A new certificate of a server, for names in OpenSSL's notation (`DNS:localhost,IP:::1`).
  convenience init(
    server name: String, alternatives: String, by authority: SignedCertificate, days: Int
  ) throws(LocalCertificateFault) {
    try self.init(
      subject: name, days: days, issuer: authority,
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
        (NID_authority_key_identifier, "keyid"), (NID_subject_alt_name, alternatives),
      ])
  }

  private convenience init(
    subject: String, days: Int, issuer: SignedCertificate?, extensions: [(Int32, String)]
  ) throws(LocalCertificateFault) {
    guard let certificate = X509_new() else { throw .making(reason: lastOpenSSLError()) }
    guard let key = copenssl_make_p256_key() else {
      X509_free(certificate)
      throw .making(reason: lastOpenSSLError())
    }
    self.init(owning: certificate, key)
    X509_set_version(certificate, 2)
    let serial = TLSTicketKeys.random(count: 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial)
    // An hour back, for clocks that are late.
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3_600)
    X509_gmtime_adj(X509_getm_notAfter(certificate), days * 86_400)
    X509_set_pubkey(certificate, key)
    let name = X509_get_subject_name(certificate)
    let text = Array(subject.utf8.prefix(64))
    guard X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, text, Int32(text.count), -1, 0) == 1,
      X509_set_issuer_name(certificate, X509_get_subject_name(issuer?.certificate ?? certificate)) == 1
    else { throw .making(reason: lastOpenSSLError()) }
    for (kind, value) in extensions {
      guard copenssl_add_extension(certificate, issuer?.certificate ?? certificate, kind, value) == 1 else {
        throw .making(reason: lastOpenSSLError())
      }
    }
    guard X509_sign(certificate, issuer?.key ?? key, EVP_sha256()) > 0 else {
      throw .making(reason: lastOpenSSLError())
    }
  }

  // MARK: Files

  /// Reads both from PEM files; nil when one is missing, broken, or not of the other.
  convenience init?(certificateFile: String, keyFile: String) {
    ERR_clear_error()
    guard let file = BIO_new_file(certificateFile, "r") else { return nil }
    defer { BIO_free(file) }
    guard let certificate = PEM_read_bio_X509(file, nil, nil, nil) else { return nil }
    guard let keys = BIO_new_file(keyFile, "r") else {
      X509_free(certificate)
      return nil
    }
    defer { BIO_free(keys) }
    guard let key = PEM_read_bio_PrivateKey(keys, nil, { _, _, _, _ in 0 }, nil) else {
      X509_free(certificate)
      return nil
    }
    self.init(owning: certificate, key)
    guard X509_check_private_key(certificate, key) == 1 else { return nil }
  }

  /// Writes both as PEM; the key for this user's eyes only.
  func write(certificateFile: String, keyFile: String) throws(LocalCertificateFault) {
    try Self.write(keyFile, mode: 0o600) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    try Self.write(certificateFile, mode: 0o644) { PEM_write_bio_X509($0, certificate) }
  }

  /// Writes beside the file and moves that there, so that nobody finds half of one.
  private static func write(
    _ path: String, mode: UInt32, _ body: (OpaquePointer) -> Int32
  ) throws(LocalCertificateFault) {
    let temporary = "\(path).new"
    unlink(temporary)
    let descriptor = clinux_open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode)
    guard descriptor >= 0 else { throw .file(path, reason: systemMessage(-descriptor)) }
    guard let sink = BIO_new_fd(descriptor, BIO_CLOSE) else {
      clinux_close(descriptor)
      throw .making(reason: lastOpenSSLError())
    }
    let written = body(sink)
    let isSynced = clinux_fsync(descriptor) >= 0
    BIO_free(sink)
    guard written == 1, isSynced, rename(temporary, path) == 0 else {
      throw .file(path, reason: systemMessage(errno))
    }
  }

  // MARK: Judging

  /// Whether it is valid now and for so many days to come.
  func holds(forDays days: Int) -> Bool {
    var now = time(nil)
    var then = now + days * 86_400
    return X509_cmp_time(X509_get0_notBefore(certificate), &now) < 0
      && X509_cmp_time(X509_get0_notAfter(certificate), &then) > 0
  }

  func isSigned(by authority: SignedCertificate) -> Bool {
    X509_verify(certificate, authority.key) == 1
  }

  func covers(names: [String], addresses: [String]) -> Bool {
    names.allSatisfy { X509_check_host(certificate, $0, 0, 0, nil) == 1 }
      && addresses.allSatisfy { X509_check_ip_asc(certificate, $0, 0) == 1 }
  }
}
